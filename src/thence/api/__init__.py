"""The public interface of the library; `thence` itself offers its names."""
