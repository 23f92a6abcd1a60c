package io.cleat.localplugin;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a consumer does at a target: a file in a mounted volume, or the device of a raw one. */
final class Content {
    private static final int LENGTH = 512;

    private Content() {}

    static void write(VolumeType type, Path target, String text) throws IOException {
        if (type != VolumeType.BLOCK) {
            Files.writeString(target.resolve("file"), text);
            return;
        }
        byte[] block = new byte[LENGTH];
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, block, 0, bytes.length);
        try (RandomAccessFile device = new RandomAccessFile(target.toFile(), "rwd")) {
            device.write(block);
        }
    }

    static String read(VolumeType type, Path target) throws IOException {
        if (type != VolumeType.BLOCK) {
            return Files.readString(target.resolve("file"));
        }
        byte[] block = new byte[LENGTH];
        try (RandomAccessFile device = new RandomAccessFile(target.toFile(), "r")) {
            device.readFully(block);
        }
        return new String(block, StandardCharsets.UTF_8).replace("\0", "");
    }
}
