"""Answers to the published cases on filters for training data; `test_cases` asks for them."""

import numpy as np

import specdec_core
from specdec_core import Checker, KeepPassed, best_of_n_kl_bound, conditional, kl_divergence, prompts_per_group, useful_share


def dapo(s, G):
    return {"keep": useful_share(s, G), "draws": prompts_per_group(useful_share(s, G))}


def dapo_batch(s, G, B):
    share = useful_share(s, G)
    return {"kept": B * share, "draws_needed": B * prompts_per_group(share)}


def best_of_n(p, n):
    law = specdec_core.best_of_n(p, range(len(p)), n)
    return {"law": law, "kl": kl_divergence(law, p), "kl_bound": best_of_n_kl_bound(n)}


def posterior_filter(p, correct):
    kept, law = KeepPassed().expected(p, Checker().passing(correct), 1), conditional(p, correct)
    np.testing.assert_allclose(kept / kept.sum(), law, atol=1e-12)
    return {"law": law, "keep_rate": kept.sum()}


def verifier(s, tpr, fpr):
    checker = Checker(tpr, fpr)
    return {"precision": checker.precision(s), "keep_rate": checker.keep_rate(s)}


FILTERING = (dapo, dapo_batch, best_of_n, posterior_filter, verifier)
