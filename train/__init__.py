"""How an agent learns.

Built in one direction, which `make check` holds; each line needs only those below it:

    run                            a whole run, from its first step to its last
    folder, evaluate, display      kept on disk, measured, shown
    trainer                        learner, games and opponents in memory, saved and resumed
    ppo, opponents                 who learns, and who is met
    policy, teacher, vec_env       the parts of a learner, and its games as an environment
    study, teaching, tuning        learning from lessons, making them; evolving baselines
    lessons, workers               a file of what a teacher said; work on several cores
    sb3, selfplay                  what SB3 keeps to itself; games with a learner on one seat
    config, kernels, logbook, saved, split, versions

What uses whole runs or agents (experiments, best responses) gets modules of its own beside `run`.
Work on several machines comes behind an interface here, so that no module but the one behind it
knows of a cluster.
"""
