package io.cleat.kernel;

/**
 * What a tree takes of its file system.
 *
 * @param bytes of the blocks that its files and directories have: a sparse file counts with what is written of it, and
 *     one that has several names counts once if all of them are in the tree
 * @param files names in it, of files, directories, links and whatever else
 * @param isWhole false if the tree has more than was seen
 */
public record TreeSize(long bytes, long files, boolean isWhole) {
    /** Nothing at all. */
    public static final TreeSize NONE = new TreeSize(0, 0, true);
}
