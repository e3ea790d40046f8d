"""The language of kernels: from marked Python functions to the text of a kernel. It knows no target and no memory."""
