"""Questions and rewards for trainers, called as the trainers call them."""

from __future__ import annotations

import json
import re
import sys
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import thence
from tests.cli.command import thence as command
from thence.integrations import for_trainers

TASKS = ["procbench", "releval", "catbench", "fable/recipes/*"]


def asked(size: int = 4) -> dict[str, list[thence.Sample]]:
    found: dict[str, list[thence.Sample]] = {}
    for sample in thence.generate(TASKS, size=size, seed=10**9):
        found.setdefault(sample.task, []).append(sample)
    return found


def rewards(replies: list[str], samples: list[thence.Sample]) -> list[float]:
    texts = [json.dumps(sample.to_json()) for sample in samples]
    return for_trainers.correct(prompts=[], completions=replies, sample=texts, trainer_state=None)


def test_a_reward_is_had_by_the_answer_alone() -> None:
    for samples in asked().values():
        assert rewards([thence.answer(each) for each in samples], samples) == [1] * 4
        for reply in ("", " \n", "<think>", "{}", "answer"):
            assert rewards([reply] * 4, samples) == [0] * 4
        for copies in (1, 2):
            assert rewards([each.input * copies for each in samples], samples) == [0] * 4


def test_printing_every_answer_is_worth_no_more_than_one_of_them() -> None:
    """Questions about grams read no minutes, so that an amount of each unit is one answer each."""
    for samples in asked().values():
        answers = list(dict.fromkeys(thence.answer(each) for each in samples))
        units = {re.sub(r"[^a-z]|to", "", each) for each in answers}
        kinds = units if samples[0].task.endswith("/intervals") else {""}
        right = {each: rewards([each] * 4, samples) for each in answers}
        best = sum(
            max(sum(held) for each, held in right.items() if each.endswith(kind)) for kind in kinds
        )
        for order in (answers, answers[::-1]):
            for between in ("\n", " ", ", ", " or "):
                assert sum(rewards([between.join(order)] * 4, samples)) <= best


def test_dense_rewards_are_metrics_and_nothing_is_worth_nothing() -> None:
    sample = thence.generate("procbench/sort", size=1, steps=4)[0]
    text, truth = json.dumps(sample.to_json()), sample.target
    half = {"intermediate": truth["intermediate"][:2], "final": "?"}
    pa = for_trainers.dense("pa")
    assert pa.__name__ == "pa"
    given = [thence.answer(sample), json.dumps(half), "", sample.input]
    found = pa(completions=given, sample=[text] * 4)
    assert found[0] == 1
    assert 0 < found[1] < 1
    assert found[2:] == [0, 0]
    other = json.dumps(thence.generate("catbench", size=1)[0].to_json())
    assert pa(completions=["yes"], sample=[other]) == [0]
    with pytest.raises(thence.ParameterError, match="metric=pml: must be one of"):
        for_trainers.dense("pml")


def test_trl_hands_over_chats_and_gets_told_what_was_unreadable() -> None:
    sample = thence.generate("catbench", size=1)[0]
    text = json.dumps(sample.to_json())
    told: dict[str, float] = {}
    chats = [[{"role": "assistant", "content": reply}] for reply in (thence.answer(sample), "Hm.")]
    found = for_trainers.correct(
        prompts=[], completions=chats, completion_ids=[], sample=[text] * 2, log_extra=None,
        log_metric=told.__setitem__,
    )  # fmt: skip
    assert found == [1, 0]
    assert told == {"thence/no_answer": 0.5}


def test_a_row_that_was_changed_on_the_way_is_refused() -> None:
    row = thence.generate("procbench/gather", size=1)[0].to_json()
    row["target"]["final"] = [row["target"]["final"]]
    text = json.dumps(row)
    for reward in (
        lambda: for_trainers.correct(["3"], [text]),
        lambda: for_trainers.compute_score("", "3", text),
    ):
        with pytest.raises(thence.ParameterError, match=f"{row['id']}: was changed on the way"):
            reward()


def test_verl_gets_a_dictionary() -> None:
    row = for_trainers.row(thence.generate("releval/comparison", size=1)[0], 0)
    score = for_trainers.compute_score(
        data_source=row["data_source"], solution_str=row["answer"],
        ground_truth=row["reward_model"]["ground_truth"], extra_info=row["extra_info"],
        reward_router_address=None,
    )  # fmt: skip
    assert score == {"score": 1, "acc": 1, "no_answer": 0}


def test_openrlhf_hands_over_special_tokens() -> None:
    sample = thence.generate("catbench", size=1)[0]
    prompt = f"<|im_start|>user\n{sample.input}<|im_end|>\n<|im_start|>assistant\n"
    for ended in ("<|im_end|>", "<|im_end|><|endoftext|><|endoftext|>", "</s>", ""):
        query = f"{prompt}{thence.answer(sample)}{ended}"
        reply = for_trainers._reply(query, prompt)
        assert thence.score_reply(sample, reply).correct
    assert for_trainers._reply(f"{prompt}<|im_end|>", prompt) == ""
    assert command("path", "openrlhf").last == for_trainers.__file__
    cut = prompt.removesuffix("<|im_start|>assistant\n")  # some leave this to the reply
    assert for_trainers._reply(f"{prompt}no<|im_end|>", cut) == "no"


def test_openrlhf_gets_its_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(tensor=list))  # stands for it
    row = for_trainers.row(thence.generate("catbench", size=1)[0], 0)
    prompt = f"<|im_start|>user\n{row['prompt'][0]['content']}<|im_end|>\n<|im_start|>assistant\n"
    queries = [f"{prompt}{said}<|im_end|>" for said in (row["answer"], "Hm.")]
    found = for_trainers.reward_func(queries, [prompt] * 2, [row["label"]] * 2, images=None)
    assert found["rewards"] == found["scores"] == [1, 0]
    assert found["extra_logs"] == {"no_answer": [0, 1]}


def test_training_shares_no_stream_with_evaluation() -> None:
    train = for_trainers.questions("procbench/sort", 7)
    assert train.seed == 10**9 + 7
    assert train[0] == thence.questions("procbench/sort", seed=10**9 + 7)[0]
    for seed in (-1, 10**9):
        with pytest.raises(thence.ParameterError, match="training seed n is seed 1000000000"):
            for_trainers.questions("procbench", seed)


def test_procedures_of_the_evaluation_can_be_kept_out() -> None:
    held = thence.generate("releval/comparison", size=40)
    train = for_trainers.questions("releval/comparison", exclude=held)[:200]
    assert not {each.cluster for each in held} & {each.cluster for each in train}
    assert not {each.input for each in held} & {each.input for each in train}


def test_a_data_set_has_the_columns_of_all_trainers() -> None:
    pytest.importorskip("datasets")
    made = for_trainers.dataset(("procbench", "releval/comparison"), size=40)
    assert made.num_rows == 40
    assert len(set(made["sample"])) == 40
    first = made[0]
    assert first["prompt"][0]["content"] == json.loads(first["sample"])["input"]
    assert first["label"] == first["reward_model"]["ground_truth"] == first["sample"]
    assert "thence:" in first["sample"]  # the canary
    assert first["extra_info"]["index"] == 0
    assert rewards(list(made["answer"]), [thence.Sample.from_json(json.loads(each)) for each in
                                         made["sample"]]) == [1] * 40  # fmt: skip
    stages = for_trainers.curriculum("procbench/sort", [(2, 4), {"steps": (9, 9)}], size=5)
    steps = [json.loads(each)["metadata"]["steps"] for each in stages["sample"]]
    assert max(steps[:5]) <= 4
    assert steps[5:] == [9] * 5
    assert stages["stage"] == [0] * 5 + [1] * 5
    deep = for_trainers.curriculum(
        "releval/comparison", [{"n": 10, "z": 0}, {"n": 10, "z": 6}], size=2
    )
    assert deep.num_rows == 4


def test_the_shards_of_a_stream_never_meet_and_are_the_sequence() -> None:
    pytest.importorskip("datasets")
    whole = for_trainers.stream("procbench/sort", seed=3, shards=4)
    assert whole.num_shards == 4
    first = [each["extra_info"]["id"] for each in islice(whole.shard(4, 1), 12)]
    wanted = for_trainers.questions("procbench/sort", 3)[1:48:4]
    assert first == [each.id for each in wanted]
    parts = [
        {each["extra_info"]["index"] for each in islice(whole.shard(4, place), 6)}
        for place in range(4)
    ]
    assert len(set().union(*parts)) == 24


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("streamed", [False, True])
def test_two_steps_of_grpo(streamed: bool, tmp_path: Path) -> None:
    trl, torch = pytest.importorskip("trl"), pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    symbols = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {text: place for place, text in enumerate(["<pad>", "<eos>", *symbols])}
    bytes_alone = Tokenizer(models.BPE(vocabulary, []))
    bytes_alone.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_alone.decoder = decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=bytes_alone, pad_token="<pad>", eos_token="<eos>",
        chat_template="{% for m in messages %}{{ m['content'] }}\n{% endfor %}",
    )  # fmt: skip
    torch.manual_seed(0)
    model = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
            num_attention_heads=2, pad_token_id=0, eos_token_id=1, bos_token_id=None,
        )
    )  # fmt: skip
    data: Any = (
        for_trainers.stream("catbench") if streamed else for_trainers.dataset("catbench", size=8)
    )
    trainer = trl.GRPOTrainer(
        model=model, processing_class=tokenizer, train_dataset=data,
        reward_funcs=[for_trainers.correct, for_trainers.dense("pa")],
        args=trl.GRPOConfig(
            output_dir=str(tmp_path), max_steps=2, per_device_train_batch_size=2, num_generations=2,
            max_completion_length=8, report_to=[], use_cpu=True, logging_steps=1,
            save_strategy="no",
        ),
    )  # fmt: skip
    trainer.train()
    logged = [each for each in trainer.state.log_history if "rewards/correct/mean" in each]
    assert len(logged) == 2
    assert all("rewards/pa/mean" in each and "thence/no_answer" in each for each in logged)
