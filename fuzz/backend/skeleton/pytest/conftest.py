pytest_plugins = ["lanecheck.pytest_plugin"]
