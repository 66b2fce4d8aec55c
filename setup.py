"""Builds the native voice (`native/`) where there is a C++ compiler; elsewhere the radio installs without it.

The library is loaded through its C interface, so nothing of Python is compiled in. The build says how far it
is, and what is lost where it fails: `deploy/install` shows that, and pip with `--verbose`. A wheel takes the
pages of `web/` along, as `radio/web/`. Everything else about the project stands in pyproject.toml.
"""

import shutil
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

LOST = "radio: the native voice could not be built; ONNX Runtime speaks instead, two to ten times slower"


class WithPages(build_py):
    """An editable installation serves them from the checkout."""

    def run(self):
        super().run()
        if not self.editable_mode:
            shutil.copytree("web", Path(self.build_lib, "radio", "web"), dirs_exist_ok=True)


class WithProgress(build_ext):
    """Names each file as it is compiled. The library is optional: what fails here ends no installation."""

    def build_extension(self, ext):
        compile_one, sources = self.compiler._compile, list(ext.sources)

        def told(built, source, *rest):
            number = sources.index(source) + 1
            print(
                f"radio: building the native voice [{number}/{len(sources)}] {Path(source).name}", flush=True
            )
            compile_one(built, source, *rest)

        self.compiler._compile = told
        try:
            super().build_extension(ext)
        except Exception:
            print(LOST, flush=True)
            raise
        finally:
            self.compiler._compile = compile_one


setup(
    cmdclass={"build_py": WithPages, "build_ext": WithProgress},
    ext_modules=[
        Extension(
            "radio.speech.engines._kokoro_native",
            sources=sorted(glob("native/*.cpp")),
            depends=sorted(glob("native/*.h") + glob("native/*.inc")),
            language="c++",
            extra_compile_args=["-O3", "-g0", "-std=c++17", "-pthread", "-fvisibility=hidden"],
            extra_link_args=["-pthread"],
            optional=True,
        )
    ],
)
