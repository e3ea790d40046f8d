# docker build -t everlet . && docker run --rm -v "$PWD":/work everlet run in.melt
# With a GPU: docker build --build-arg EXTRAS=cuda13,traj -t everlet . && docker run --rm --gpus all -v "$PWD":/work everlet run in.melt --device cuda
FROM python:3.12-slim

ARG EXTRAS=traj
COPY pyproject.toml README.md LICENSE /source/
COPY everlet /source/everlet
COPY everlet_formats /source/everlet_formats
RUN pip install --no-cache-dir "/source[${EXTRAS}]" && rm -r /source

# compiled kernels: a volume keeps them from one container to the next
ENV EVERLET_CACHE=/cache
RUN useradd --create-home everlet && mkdir /cache /work && chown everlet /cache /work
USER everlet
VOLUME /cache
WORKDIR /work

ENTRYPOINT ["everlet"]
CMD ["--help"]
