package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCopiesTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path root;

    /** 64 MiB with 8 KiB of data in the middle and 4 KiB before a hole at the end. */
    private Path sparse() throws Exception {
        Path file = root.resolve("sparse");
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(64 * MIB);
            made.seek(20 * MIB);
            made.write(filled(8192));
            made.seek(50 * MIB);
            made.write(filled(4096));
            made.getFD().sync();
        }
        return file;
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i % 251 + 1);
        }
        return bytes;
    }

    @Test
    void aCopyHasTheBytesAndTheHolesOfItsSource() throws Exception {
        Path from = sparse();
        Path to = Files.createFile(root.resolve("copy"));
        FileCopies.copy(from, to);
        assertArrayEquals(Files.readAllBytes(from), Files.readAllBytes(to));
        assertEquals(DataRanges.bytes(from), DataRanges.bytes(to));
        assertTrue(
                DataRanges.bytes(to) < MIB,
                () -> "the copy holds " + to.toFile().length());
    }

    @Test
    void sharingWorksOrLeavesAnEmptyFile() throws Exception {
        Path from = sparse();
        Path to = root.resolve("shared");
        if (FileCopies.share(from, to)) {
            assertArrayEquals(Files.readAllBytes(from), Files.readAllBytes(to));
        } else {
            assertEquals(0, Files.size(to));
        }
    }

    @Test
    void whatExistsIsNotReplaced() throws Exception {
        Path there = Files.writeString(root.resolve("there"), "precious");
        Path from = sparse();
        assertThrows(DiskTrouble.class, () -> FileCopies.share(from, there));
        assertEquals("precious", Files.readString(there));
    }

    @Test
    void aFileWithoutDataHasNoRanges() throws Exception {
        Path empty = Files.createFile(root.resolve("empty"));
        assertEquals(0, DataRanges.bytes(empty));
        try (RandomAccessFile made = new RandomAccessFile(empty.toFile(), "rw")) {
            made.setLength(MIB);
        }
        assertEquals(0, DataRanges.bytes(empty));
    }
}
