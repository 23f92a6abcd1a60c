package io.cleat.csi;

/** Takes block metadata page by page, on the thread that reads it. */
@FunctionalInterface
public interface BlockReader {
    /**
     * The plugin is kept waiting until this returns.
     *
     * @return false to end the reading here
     */
    boolean page(BlockPage page) throws InterruptedException;
}
