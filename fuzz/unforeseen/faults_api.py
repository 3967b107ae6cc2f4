"""Faults of api_unit.py."""
