"""Pages of runs: `history.py` reads logs, `statistics.py` and `structure.py` look at numbers and atoms, `charts.py` draws,
`scene.py` packs frames for the player (assets/player.js), `page.py` is what all pages share, `report.py` the page of a run,
`citations.py` whom to cite, `seeds.py` which seeds a script has, `picture.py` atoms in notebooks. `follow.py` reads a log that
grows, which `watch.py` shows by `terminal.py` or `server.py`."""
