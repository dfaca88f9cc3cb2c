"""Reinforcement of nano on two tasks, by TRL's GRPO with our rewards, on a CPU.

    python grpo.py OUT       # OUT/before and OUT/after, models for hf/; OUT/log.jsonl

nano is read from its GGUF file by transformers. A group of replies to one question is rewarded for
the right answer and for the share of right steps before the first wrong one; what does better than
the rest of its group becomes likelier.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import torch
import transformers
import trl

from thence.integrations import for_trainers
from thence.models.select import NANO_FILE

# transformers cuts their prompts into tokens as llama.cpp does. Others it does not: of the pieces
# of wording it takes the leftmost first, not the longest, as in a list such as "add 3, multiply 2".
TASKS = ["procbench/sort", "procbench/decompose"]
STEPS = (2, 4)
SEED = 29  # nano itself learnt from training seed 28


class Clock(transformers.TrainerCallback):
    """End of a training by the clock."""

    def __init__(self, minutes: float) -> None:
        self._end = time.monotonic() + 60 * minutes

    def on_step_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        """Ask the trainer to stop once the time is over."""
        control.should_training_stop |= time.monotonic() > self._end


def main() -> None:
    """Train, and write the models of before and after, and the log."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="folder of the two models and the log")
    parser.add_argument("--tasks", nargs="+", default=TASKS)
    parser.add_argument("--rate", type=float, default=2e-4, help="of learning")
    parser.add_argument("--minutes", type=float, default=20, help="stop after a step by then")
    parser.add_argument("--steps", type=int, default=10_000, help="at most")
    given = parser.parse_args()
    torch.set_num_threads(1)
    held = {"pretrained_model_name_or_path": NANO_FILE.parent, "gguf_file": NANO_FILE.name}
    tokenizer = transformers.AutoTokenizer.from_pretrained(**held, pad_token="<unk>")
    # Templates are filled in without the token that llama.cpp puts before a prompt.
    tokenizer.chat_template = "<s>{% for each in messages %}{{ each['content'] }}\n{% endfor %}"
    read = transformers.AutoModelForCausalLM.from_pretrained(**held, dtype=torch.float32)
    del read.config.quantization_config  # else it is never written
    model = transformers.LlamaForCausalLM(read.config)
    model.load_state_dict(read.state_dict())
    for part in (model, tokenizer):
        part.save_pretrained(given.out / "before")
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=for_trainers.stream(given.tasks, SEED, steps=STEPS),
        reward_funcs=[for_trainers.correct, for_trainers.dense("pa")],
        callbacks=[Clock(given.minutes)],
        args=trl.GRPOConfig(
            output_dir=str(given.out),
            max_steps=given.steps,
            per_device_train_batch_size=128,
            num_generations=16,
            max_completion_length=112,  # longer than right replies of four steps
            learning_rate=given.rate,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=5,
            beta=0.0,
            seed=SEED,
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
        ),
    )
    trainer.train()
    for part in (model, tokenizer):
        part.save_pretrained(given.out / "after")
    logged = [each for each in trainer.state.log_history if "rewards/correct/mean" in each]
    (given.out / "log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in logged))


if __name__ == "__main__":
    main()
