"""Builds the native voice (`native/`) where there is a C++ compiler; elsewhere the radio installs without it.

The library is loaded through its C interface, so nothing of Python is compiled in. A wheel takes the pages of
`web/` along, as `radio/web/`. Everything else about the project stands in pyproject.toml.
"""

import shutil
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py


class WithPages(build_py):
    """An editable installation serves them from the checkout."""

    def run(self):
        super().run()
        if not self.editable_mode:
            shutil.copytree("web", Path(self.build_lib, "radio", "web"), dirs_exist_ok=True)


setup(
    cmdclass={"build_py": WithPages},
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
    ],
)
