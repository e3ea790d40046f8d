"""The performance laboratory: models of machines and programs, simulated runs, plans, reports and studies."""
