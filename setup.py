"""Builds the native voice (`native/`) where there is a C++ compiler; elsewhere the radio installs without it.

The library is loaded through its C interface, so nothing of Python is compiled in. Everything else about the
project stands in pyproject.toml.
"""

from glob import glob

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "radio.narrator.engines._kokoro_native",
            sources=sorted(glob("native/*.cpp")),
            depends=sorted(glob("native/*.h") + glob("native/*.inc")),
            language="c++",
            extra_compile_args=["-O3", "-g0", "-std=c++17", "-pthread", "-fvisibility=hidden"],
            extra_link_args=["-pthread"],
            optional=True,
        )
    ]
)
