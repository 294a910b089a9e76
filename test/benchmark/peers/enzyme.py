#!/usr/bin/env python3
"""Runs the comparison of a problem of numbers, from a shared library, with what Enzyme makes of enzyme.hpp. The package
enzyme-ad has Enzyme inside a compiler of C++ that gives kernels for JAX; such a kernel returns the address of a function,
which is then called directly, as the others are. Usage: enzyme.py LIBRARY PROCESSOR PROBLEM ARGUMENTS..."""

import ctypes
import pathlib
import subprocess
import sys

import numpy as np
from enzyme_ad.jax import enzyme_call, primitives

SIZES = {"S1": ("sum_exp_product", 3, 1), "S2": ("black_scholes", 5, 1), "S3": ("reprojection", 15, 2),
         "S4": ("rosenbrock", 8, 1), "S5": ("pose_composition", 12, 6)}


def address_of(function, definitions, processor, *options):
    """The address of a compiled function. The package lacks the compiler's own headers, g++'s stand in for them."""
    source = f"""
{definitions}
namespace kernel {{
void address(enzyme::tensor<int64_t, 1>& out, const enzyme::tensor<double, 1>&) {{
  out(0) = reinterpret_cast<int64_t>(&{function});
}}
}}
"""
    headers = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True, check=True).stdout
    options = ("-O3", "-vectorize-loops", "-vectorize-slp", "-ffp-contract=on", "-std=c++20", "-target-cpu", processor,
               *options, "-isystem", headers.strip(), "-resource-dir", primitives.resource_dir(), *primitives.cflags())
    identifier, _ = enzyme_call.create_enzyme_kernel(
        source, "kernel::address", [("int64_t", [1])], [("double", [1])], options, enzyme_call.ABI.Primal,
        enzyme_call.Language.CPP, False, "", "cpu")

    capsule = enzyme_call.get_callback()
    get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    get_name.argtypes, get_name.restype = [ctypes.py_object], ctypes.c_char_p
    get_pointer.argtypes, get_pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))(
        get_pointer(capsule, get_name(capsule)))
    which, unused, address = np.array([identifier]), np.zeros(1), np.zeros(1, np.int64)
    kernel(address.ctypes.data, (ctypes.c_void_p * 2)(which.ctypes.data, unused.ctypes.data))
    return int(address[0])


def main():
    library, processor, problem = sys.argv[1:4]
    peers = ctypes.CDLL(library)
    try:
        function, inputs, outputs = SIZES[problem]
        address = address_of(f"peers::evaluate<peers::{function}, {inputs}, {outputs}>", '#include "enzyme.hpp"',
                             processor, "-I", str(pathlib.Path(__file__).parent))
        peers.add_enzyme(problem.encode(), ctypes.c_void_p(address))
    except ValueError as error:
        print(f"Enzyme is left out of {problem}: {error}", file=sys.stderr)
    arguments = [b"peers", *(a.encode() for a in sys.argv[3:])]
    status = peers.peers_main(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments))
    sys.stdout.flush()
    sys.exit(status)


if __name__ == "__main__":
    main()
