package io.cleat.localplugin;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a volume is made of; the parameter {@code type} of CreateVolume. */
enum VolumeType {
    /** A directory of the pool, bound to where it is used. Its size is not enforced. */
    DIRECTORY("directory", 0),
    /** A sparse file of the pool with an ext4 file system, mounted through a loop device. */
    EXT4("ext4", 16),
    /** The same with XFS. */
    XFS("xfs", 300),
    /** The same with Btrfs, of which the least size is that of its usual layout. */
    BTRFS("btrfs", 109),
    /** A sparse file of the pool, handed out as a loop device: CSI's access type block. */
    BLOCK("block", 1);

    static final long MIB = 1 << 20;

    private final String word;
    private final long least;

    VolumeType(String word, long leastMib) {
        this.word = word;
        this.least = leastMib * MIB;
    }

    /** Also the kernel's name of the file system. */
    String word() {
        return word;
    }

    /** The least size in bytes. */
    long least() {
        return least;
    }

    /** Whether it is a file behind a loop device. */
    boolean isImage() {
        return this != DIRECTORY;
    }

    /** Whether it is a file with a file system in it. */
    boolean isFileSystem() {
        return isImage() && this != BLOCK;
    }

    static Optional<VolumeType> of(String word) {
        return Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
    }

    /** All words, for messages. */
    static String words() {
        return Arrays.stream(values()).map(VolumeType::word).collect(Collectors.joining(", "));
    }
}
