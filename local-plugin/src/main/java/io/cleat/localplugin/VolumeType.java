package io.cleat.localplugin;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a volume is made of; the parameter {@code type} of CreateVolume. */
enum VolumeType {
    /** A directory of the pool, bound to where it is used. Its size is not enforced. */
    DIRECTORY("directory"),
    /** A sparse file of the pool with an ext4 file system, mounted through a loop device. */
    EXT4("ext4");

    private final String word;

    VolumeType(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    static Optional<VolumeType> of(String word) {
        return Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
    }

    /** All words, for messages. */
    static String words() {
        return Arrays.stream(values()).map(VolumeType::word).collect(Collectors.joining(", "));
    }
}
