"""Which tests are in `make test`, and which in `make test-more`: one table, read by tests/conftest.py.

A test that no line names is in `make test`. The first line that fits decides: a file below tests/, the name of a test (both
as in a shell, * for all), and a regular expression for what stays in `make test` of its parameters, the text in brackets
that pytest prints (empty for a test without). The rest gets the mark `more`.

Every style, command and contract stays once, on the backends where it differs; what leaves is the product of the axes:
lists, schemes, precisions and numbers of threads (kernels for one thread are those for several), files and seeds of the same
kind, PTX of what other tests compile for a GPU on paper. New tests that compile many kernels or run for long belong here.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

FOUND = pytest.StashKey[list[tuple[str, str, str]]]()  # file, name and parameters of the tests of this run
NONE = "(?!)"  # nothing stays
ONE_THREAD = "^(?!threads)"

LINES: list[tuple[str, str, str]] = [
    # ---- contracts: plain Python and one thread; several threads where they are what is tested
    ("contract/test_ptx.py", "test_kernels_compile_to_ptx", "^lj/cut-full-on-double|^morse-full-on-mixed"),
    ("contract/test_ptx.py", "test_other_kernels_compile_to_ptx",
     "^(add_up0|next_step|words|sum_copies|put_site0|spread|solve0)$"),
    ("contract/test_ptx.py", "test_kernels_of_fixes_and_computes_compile_to_ptx", "^(nvt|langevin|setforce v_a|msd)"),
    ("contract/test_ptx.py", "test_many_body_kernels_compile_to_ptx", NONE),
    ("contract/test_ptx.py", "test_computes_over_neighbours_compile_to_ptx", "^lj/cut-double"),
    ("contract/test_ptx.py", "test_teams_compile_to_ptx", "^full"),
    ("contract/test_ptx.py", "test_kernels_of_reaxff_compile_to_ptx", NONE),
    ("contract/test_ptx.py", "test_kernels_of_bonds_compile_to_ptx", NONE),
    ("contract/test_ptx.py", "test_snap_with_teams_*", NONE),
    ("contract/test_ptx.py", "test_cluster_shapes_compile_to_ptx", NONE),
    ("contract/test_ptx.py", "test_a_run_compiles_nothing_after_its_set_up", ""),
    ("contract/test_charges.py", "test_charged_style",
     "^reference-.*-full-on$|^serial-lj/cut/coul/dsf-.*-on$|^threads-.*-half-on$"),
    ("contract/test_charges.py", "test_precision_of_charges", NONE),
    ("contract/test_charges.py", "test_weights_of_special_pairs", "^(coul/cut|lj/cut/coul/dsf)$"),
    ("contract/test_charges.py", "test_*_compile_to_ptx", NONE),
    ("contract/test_hybrid.py", "test_sums_over_all_images",
     "^reference-.*-full-on$|^serial-hybrid-full-on$|^serial-overlay-(half|full)-on$"),
    ("contract/test_hybrid.py", "test_kernels_compile_to_ptx", NONE),
    ("contract/test_hybrid.py", "test_many_body_styles_add_up", "^serial-tersoff"),
    ("contract/test_invariances.py", "test_energy_only_plugin_is_the_handwritten_one", "^reference"),
    ("contract/test_invariances.py", "*", "^$|^(reference|serial)$|^(reference|serial)-half-on$|^threads-full-off$"),
    ("contract/test_manybody_on_gpu.py", "test_snap*", NONE),
    ("contract/test_manybody_on_gpu.py", "test_sums_over_lanes", "^(reference|serial)-(1|8)$"),
    ("contract/test_neighbor_contract.py", "test_rows_grow_until_all_neighbours_fit", "^(reference|serial)-.*-True$"),
    ("contract/test_neighbor_contract.py", "test_candidates_side_by_side", "^9"),
    ("contract/test_neighbor_contract.py", "*", ""),
    # most styles are compiled for half lists by their cases in tests/cases
    ("contract/test_pair_contract.py", "test_style",
     "^reference-.*-full-on$|^(serial|threads)-lj/cut-(half|full)-on$|^serial-(lj/class2|table-.*|zero|soft)-full-on$"),
    ("contract/test_pair_contract.py", "test_shift_*", "lj/cut$|^serial-(morse|lj/expand)$"),
    ("contract/test_precision.py", "test_precision",
     "^serial-(lj/cut|morse)--(mixed|single)-full-on$|^serial-lj/cut--mixed-half-on$"),
    ("contract/test_precision.py", "test_precision_in_plain_python", "-(double|mixed)$"),
    ("contract/test_prefetch.py", "test_no_bit_changes", "^melt-half-double"),
    ("contract/test_prefetch.py", "test_a_list_that_is_full", "^half-64"),
    ("contract/test_reactive_charges.py", "*", "^serial-all qeq"),
    ("contract/test_scheme_cells.py", "test_box", "^serial-(triclinic|flat|tiny)-|^threads-slab-"),
    ("contract/test_scheme_cells.py", "test_branch", "-(half|cells)$"),
    ("contract/test_scheme_cells.py", "test_moving_atoms", "^cells-.*yes$"),
    ("contract/test_scheme_cells.py", "test_precision", "^mixed"),
    ("contract/test_scheme_cells.py", "test_style", "cells$"),
    ("contract/test_scheme_cells.py", "test_plugin_with_an_energy_only", NONE),
    ("contract/test_scheme_cells.py", "test_one_type_and_an_offset", NONE),
    ("contract/test_scheme_cells.py", "test_the_number_of_threads_changes_no_bit", "^(cells|all)$"),
    ("contract/test_scheme_clusters.py", "test_boxes", "^(reference|serial)-.*-on$|^threads-slab-off"),
    ("contract/test_scheme_clusters.py", "test_float_coordinates", "^(reference|serial)-mixed-tilted"),
    ("contract/test_scheme_clusters.py", "test_styles", "^reference"),
    ("contract/test_scheme_clusters.py", "test_one_type", "^(reference|serial)-tilted"),
    ("contract/test_scheme_clusters.py", "test_shapes", "^tilted-8x8"),
    ("contract/test_scheme_clusters_gpu.py", "test_boxes", "^reference-.*-8x8|^serial-slab-8x1"),
    ("contract/test_scheme_clusters_gpu.py", "test_moving_atoms", "^clusters-.*yes$"),
    ("contract/test_scheme_clusters_gpu.py", "test_precisions", "^reference-mixed"),
    ("contract/test_scheme_clusters_gpu.py", "test_styles", "^reference"),
    ("contract/test_scheme_clusters_gpu.py", "test_shapes", "^8x1-on"),
    ("contract/test_scheme_clusters_gpu.py", "test_rows_grow_without_loss", "8x1"),
    ("contract/test_scheme_clusters_gpu.py", "test_replayed_mixed_precision", NONE),
    ("contract/test_scheme_half.py", "test_boxes", "^(tilted|tiny)-.*-on-(reference|threads)$|^slab-.*-threads$"),
    ("contract/test_scheme_half.py", "test_coloured_sums_*", "^on-double"),
    ("contract/test_scheme_windows.py", "test_boxes", "^(reference|serial)-.*-on$|^threads-slab-off"),
    ("contract/test_scheme_windows.py", "test_precision", "^serial-mixed"),
    ("contract/test_scheme_windows.py", "test_rows", "^(tilted|tiny)"),
    ("contract/test_staged_loops.py", "test_stages_give_the_same_forces", "^half-on-2-8|^full-on-2-8"),
    ("contract/test_staged_loops.py", "test_stages_on_two_threads", "^coloured"),
    ("contract/test_virial_alone.py", "*", "serial"),
    ("contract/*", "*", ONE_THREAD),
    # ---- the reference: every case once, one of each kind of file, few seeds
    ("oracle/test_cases.py", "*", "-serial$|^(melt-500|mixture)-|^pair-eam-alloy-(full|threads)"),
    ("oracle/test_random.py", "test_script", "^[01]$"),
    ("oracle/test_random_molecules.py", "test_water_and_trees", NONE),
    ("oracle/test_nose_hoover.py", "test_barostats_with_random_words", "^[0-5]$"),
    ("oracle/test_nose_hoover.py", "test_nvt_with_random_words", "^[0-2]$"),
    ("oracle/test_potentials.py", "test_files_agree_*", "^(Cu_u3.eam|FeP_mm.eam.fs)-"),
    ("oracle/test_potentials.py", "test_three_body_files_agree_*",
     "^(sw threebody off-Si|tersoff/mod-|tersoff/mod/c|vashishta-InP|tersoff/zbl-)"),
    ("oracle/test_potentials.py", "test_threads_and_mixed_precision", NONE),
    ("oracle/test_potentials.py", "test_three_body_files_in_mixed_precision", NONE),
    ("oracle/test_benchmarks.py", "*", "^lj$|^eam$"),
    ("oracle/test_charges.py", "test_forces_are_slopes",
     "^(coul/cut|lj/cut/coul/long|lj/charmmfsw/coul/long|born/coul/wolf/cs)$"),
    ("oracle/test_dumps.py", "test_same_text", "-[0-4]$"),
    ("oracle/test_everyday.py", "test_*", "^$|^lj$|^tilted$|^metal$|^0-(lj|tilted)|^1-metal|^2-lj"),
    ("oracle/test_hybrid.py", "test_full_lists", "^(eam\\+lj|sw\\+lj|tersoff|scaled)-"),
    ("oracle/test_hybrid.py", "test_half_lists", "^(two-eam|two-lj)-"),
    ("oracle/test_hybrid.py", "test_threads_and_mixed_precision", "^scaled"),
    ("oracle/test_kspace.py", "test_against_the_reference", "^(ewald|ewald-slab|pppm|pppm-tilted|pppm-ad|pppm-7)$"),
    ("oracle/test_nearby.py", "test_schemes", "^(half-off|clusters-on)"),
    ("oracle/test_nearby.py", "test_metals", "^eam"),
    ("oracle/test_snap.py", "test_files_agree_with_the_reference", "^Ta06A"),
    ("oracle/test_snap.py", "test_flags_agree_with_the_reference", "^(plain|inner|quadratic|chem)-"),
    ("oracle/test_sna.py", "test_keywords_*", "^(plain|gradients)$"),
    ("oracle/test_sna.py", "test_while_a_run_goes_on", "^(slab|tilted)"),
    ("oracle/test_bonds.py", "test_special_bonds", "^on-$|^on-lj 0.3|^on-fene|^off-amber"),
    ("oracle/test_special_charges.py", "test_compiled", NONE),
    ("oracle/test_exclusions.py", "test_computes_see_*", "^cut"),
    ("oracle/test_tip4p.py", "test_water", "-charmm$"),
    ("oracle/test_tip4p.py", "test_mesh", "order 5"),
    ("oracle/test_tip4p.py", "test_some_steps", NONE),
    ("oracle/test_bonded.py", "test_per_atom", NONE),
    ("oracle/test_bonded.py", "test_*tables", "^linear"),
    ("oracle/test_shares.py", "test_shares", "^(?!snap|tersoff)"),
    ("oracle/test_breaking.py", "test_pairs", "-bond$"),
    ("oracle/test_breaking.py", "test_bonds_break_on_two_ranks", NONE),
    ("oracle/test_bonded.py", "test_hybrid_runs", "^(serial|cpu)-.-$"),
    ("oracle/test_acks2.py", "test_charges_energies_and_forces", "^tilted"),
    ("oracle/test_minimise.py", "test_shake", NONE),
    ("oracle/test_reax_drift.py", "*", NONE),
    ("oracle/test_drift.py", "*", NONE),
    ("oracle/test_divergence.py", "*", NONE),
    # ---- units: examples and studies are run by test-more, all of them
    ("unit/test_example_scripts.py", "test_script",
     "/in.(barostats|couette|indent|coupling|electrolyte|chunks|structure|elastic|box_relax|peptide|piston)$"),
    ("unit/test_example_scripts.py", "test_program", NONE),
    ("unit/test_lab_studies.py", "test_studies_keep_their_results", "^(padding|project|power|simulate)$"),
    ("unit/test_systems.py", "test_bench_of_a_gpu", NONE),
    ("unit/test_systems.py", "test_the_peer_runs_the_same_system", NONE),
    ("unit/test_systems.py", "test_real_runs", "^eam"),
    ("unit/test_knobs.py", "test_batching_of_snap_on_a_gpu", NONE),
    ("unit/test_knobs.py", "test_cluster_shape", NONE),
    ("unit/test_embedded.py", "test_a_linear_embedding_is_a_pair_potential", "^$"),
    ("unit/test_hybrid.py", "test_each_sub_style_*", "^factors0"),
    ("unit/test_hybrid.py", "test_a_run_compiles_nothing_after_its_set_up", "^full"),
    ("unit/test_portable_teams.py", "test_teams_compile_to_ptx", NONE),
    ("unit/test_snap.py", "test_channels_without_a_type_of_their_own", NONE),
    ("unit/test_snap.py", "test_energy_and_forces_are_those_of_the_definition", "^3"),
    ("unit/test_snap.py", "test_forces_are_slopes_of_the_energy", "^linear$"),
    ("unit/test_sna.py", "test_a_potential_is_the_sum_of_its_components", NONE),
    ("unit/test_deterministic.py", "test_forces_that_threads_add_up", "^sw$"),
    ("unit/test_ensembles.py", "*", NONE),
    ("unit/test_lu.py", "test_class_s_verifies", "^(pipeline-skewed-2|blocked-row-1)$"),
    ("unit/test_exact.py", "test_water",
     "^((nve|npt) shake pppm|npt rattle ewald|langevin rigid pppm|npt rigid/small pppm|nvt none pppm/tip4p|nvt rigid none)$"),
    ("unit/test_exact_systems.py", "test_systems", "^(qeq/point pppm npt|reaxff|tilted|shrinking|carried|two barostats)$"),
    ("unit/test_exact_systems.py", "test_threads", "^eam$"),
    ("unit/test_exact_systems.py", "test_threads_and_a_tilted_box", "^pppm-shake$"),
    ("unit/test_exact_systems.py", "test_a_file_between_runs", "^(npt-rattle|langevin-shake|nve-rigid/small)$"),
    ("unit/test_exact_systems.py", "test_changes_begin_a_run_anew", "^(displace|pair_coeff|unfix)"),
    ("unit/test_nose_hoover.py", "test_exact_continuation", "^(nvt-serial-prism|npt-cpu-block|nph-serial-prism)"),
    ("unit/test_nose_hoover.py", "test_replayed_steps_are_ordinary_steps", "^(nvt|tri)-every 1 "),
    ("unit/test_nose_hoover.py", "test_a_barostat_over_a_hybrid_is_replayed", NONE),
    ("unit/test_replay.py", "test_replayed_steps_are_ordinary_steps", "^delay .* check yes-half$"),
    ("unit/test_replay.py", "test_hybrid_styles*", NONE),
    ("unit/test_replay.py", "test_*", "^$|check yes$"),
    ("unit/test_replay_molecules.py", "*", "^rigid"),
    ("unit/test_check_styles.py", "test_examples_pass", "^my_(compute|bond)"),
    ("unit/test_lu_studies.py", "test_studies_leave_a_table_and_a_verdict", NONE),
    ("unit/test_user.py", "test_a_full_disk_leaves_no_half_files", "^write_restart|^dump"),
    ("unit/test_simd.py", "test_rows", "-(4-float32-16|3-float64-8)$"),
    # ---- ranks: starting them is what costs. Stay: few cases, molecules, errors and signals, and all that needs no start
    ("mpi/test_continuing.py", "test_bits", "^few$"),
    ("mpi/test_ranks_agree.py", "test_several_ranks_agree_with_one", NONE),
    ("mpi/test_jobs.py", "test_an_error_on_one_rank_ends_all", "^1$"),
    ("mpi/test_jobs.py", "test_restart_files_are_for_any_number_of_ranks", ""),
    ("mpi/test_jobs.py", "*", NONE),
    ("mpi/test_faults.py", "test_all_ranks_stop_at_one_step", "^10"),
    ("mpi/test_faults.py", "test_a_killed_rank_takes_the_others_with_it", ""),
    ("mpi/test_faults.py", "*", NONE),
    ("mpi/test_kspace.py", "test_runs_on_several_ranks", NONE),
    *((f"mpi/test_{name}.py", "*", NONE) for name in (
        "balance", "cmap", "constraints", "fixes", "hash", "hybrid", "langevin", "lu", "minimise", "nearby", "potential_files",
        "qeq", "reaxff", "reduce", "shares", "sna", "special_charges")),
]


def stays(path: str, test: str, parameters: str) -> bool:
    """Whether a test is in `make test`: its file below tests/, its name, the text in brackets."""
    line = deciding(path, test)
    return line is None or re.search(line[2], parameters) is not None


def deciding(path: str, test: str) -> tuple[str, str, str] | None:
    return next((line for line in LINES if fnmatchcase(path, line[0]) and fnmatchcase(test, line[1])), None)
