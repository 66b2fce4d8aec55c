"""Builds the native voice (`native/`) where there is a C++ compiler; elsewhere the radio installs without it.

The library is loaded through its C interface, so nothing of Python is compiled in. The build says how far it
is, and what is lost where it fails: `deploy/install` shows that, and pip with `--verbose`. A wheel takes the
pages of `web/` along, as `radio/web/`. Everything else about the project stands in pyproject.toml.
"""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from itertools import chain, count
from pathlib import Path
from threading import Lock

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.modified import newer_group

FLAGS = "-O3 -g0 -std=c++17 -pthread -fvisibility=hidden -Wall -Wextra"
LOST = "the native voice could not be built; ONNX Runtime speaks instead, two to ten times slower"


def tell(line):
    """In one piece: setuptools writes its own lines meanwhile, from other threads."""
    print(f"radio: {line}\n", end="", flush=True)


class WithPages(build_py):
    """An editable installation serves them from the checkout."""

    def run(self):
        super().run()
        if not self.editable_mode:
            shutil.copytree("web", Path(self.build_lib, "radio", "web"), dirs_exist_ok=True)


class WithNativeVoice(build_ext):
    """Compiles as many files at once as there are processors, and names each as it begins.

    The library is optional: what fails here ends no installation.
    """

    def build_extension(self, ext):
        built = self.get_ext_fullpath(ext.name)
        if not self.force and not newer_group([*ext.sources, *ext.depends], built, "newer"):
            return
        try:
            self.compiler.link_shared_object(
                self.compiled(ext),
                built,
                libraries=self.get_libraries(ext),
                extra_postargs=ext.extra_link_args,
                build_temp=self.build_temp,
                target_lang=ext.language,
            )
        except Exception:
            tell(LOST)
            raise

    def compiled(self, ext):
        """The object files, in the order of the sources."""
        begun, in_order = count(1), Lock()

        def compile_one(source):
            with in_order:
                tell(f"building the native voice [{next(begun)}/{len(ext.sources)}] {Path(source).name}")
            return self.compiler.compile(
                [source], output_dir=self.build_temp, extra_postargs=ext.extra_compile_args
            )

        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as compilers:
            return list(chain.from_iterable(compilers.map(compile_one, ext.sources)))


setup(
    cmdclass={"build_py": WithPages, "build_ext": WithNativeVoice},
    ext_modules=[
        Extension(
            "radio.speech.engines._kokoro_native",
            sources=sorted(glob("native/*.cpp")),
            depends=sorted(glob("native/*.h") + glob("native/*.inc")),
            language="c++",
            extra_compile_args=FLAGS.split(),
            extra_link_args=["-pthread"],
            optional=True,
        )
    ],
)
