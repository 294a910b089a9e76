"""Compiles GradBench's tool for an eval with Enzyme, by the compiler in the package enzyme-ad, and runs it with the
arguments on each line of the input. Usage: enzyme_tool.py FOLDER EVAL SECONDS. Answers with the name of the eval, and
then to each line with that of a file that has the output, or with nothing where the tool fails or takes longer.
"""

import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmark/peers"))
from enzyme import address_of


def main():
    folder, name, limit = sys.argv[1:]
    options = subprocess.run(["g++", "-march=native", "-Q", "--help=target"], capture_output=True, text=True).stdout
    processor = re.search(r"^\s+-march=\s+(\S+)", options, re.M)[1]
    ctypes.CDLL("libstdc++.so.6", mode=ctypes.RTLD_GLOBAL)  # where the tool finds the standard library's functions
    tool = f'#define main gradbench_main\n#include "{folder}/tools/enzyme/{name}.cpp"\n#undef main'
    # What a driver of clang tells its compiler by itself.
    implied = "-fgnuc-version=4.2.1", "-D_GNU_SOURCE", "-fcxx-exceptions", "-fexceptions"
    address = address_of("gradbench_main", tool, processor, "-std=c++17", *implied, "-I", f"{folder}/cpp",
                         "-isystem", "/usr/include/nlohmann")
    run = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p))(address)
    print(name, flush=True)
    with tempfile.NamedTemporaryFile() as output:
        for line in sys.stdin:
            output.truncate(0)
            if (child := os.fork()) == 0:
                signal.alarm(int(limit))
                os.dup2(output.fileno(), 1)
                os.lseek(1, 0, os.SEEK_SET)
                arguments = [name.encode(), *(a.encode() for a in line.split())]
                os._exit(run(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments)))
            print("" if os.waitpid(child, 0)[1] else output.name, flush=True)


main()
