"""Kernels of such devices (grid/) as text of C, for all whose drivers compile that. It is no place of a target.

    emit.py       from the text of a kernel to C
    reading.py    questions to parts of a text
    dialects.py   what the primitives are in OpenCL C, HIP C++ and CUDA C++
    rtc.py        compilers that are libraries: NVRTC and HIPRTC
    printed.py    text for people to read: `everlet kernel`
    compilers.py  what vendors' compilers make of a text, without their devices; declared.py: what HIP's headers would declare
"""
