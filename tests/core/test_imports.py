"""The core stands on NumPy alone, and hands out what it promises."""

import pkgutil
import subprocess
import sys

import specdec_core

MODULES = [f"specdec_core.{module.name}" for module in pkgutil.iter_modules(specdec_core.__path__)]


def test_no_module_of_the_core_imports_panel_bokeh_or_param():
    program = f"import sys, {', '.join(MODULES)}; print(*{{'panel', 'bokeh', 'param'}}.intersection(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)})
    assert run.stdout.split() == []


def test_every_public_name_is_there_and_documented():
    assert specdec_core.__all__ == sorted(specdec_core.__all__)
    for name in specdec_core.__all__:
        assert getattr(specdec_core, name).__doc__, name
