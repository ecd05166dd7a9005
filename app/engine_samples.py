"""Samples of what engines print, to try the reading with."""

SAMPLES = {
    "vLLM: metrics": "vllm_metrics.txt",
    "vLLM: log": "vllm_log.txt",
    "SGLang: answers": "sglang_meta_info.json",
    "SGLang: log": "sglang_log.txt",
    "llama.cpp: server log": "llama_server_log.txt",
    "TensorRT-LLM: report": "tensorrt_llm_report.txt",
    "A plain table": "table.csv",
}
"""Files of made-up numbers in `assets/samples`, each in the shape that an engine prints, by what the list calls them."""
