package io.cleat.image;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes between the agent and the process that unpacks for it. Both are of the same program, so they carry no
 * version. What the process says is believed in its form only: each text and list has an end.
 */
final class Wire {
    /** The process wants a file: a name; answered with its size, -1 if there is none. */
    static final int OPEN = 1;

    /** The process wants bytes: number of the file, offset, length; answered with a count and them. */
    static final int READ = 2;

    /** What the image is; answered with the numbers of the layers that are wanted. */
    static final int IMAGE = 3;

    /** A layer is unpacked: its number, and what of it was left out. */
    static final int LAYER = 4;

    /** It cannot be had: why, and whether a later try may help. */
    static final int FAILED = 5;

    /** All layers that were wanted are there. */
    static final int DONE = 6;

    /** Bytes that are read at once. */
    static final int LONGEST_READ = 1 << 18;

    private static final int LONGEST_TEXT = 1 << 20;
    private static final int LONGEST_LIST = 10_000;

    private Wire() {}

    static void write(DataOutputStream to, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    static String readText(DataInputStream from) throws IOException {
        int length = from.readInt();
        if (length < 0 || length > LONGEST_TEXT) {
            throw new IOException("a text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        from.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static void write(DataOutputStream to, List<String> texts) throws IOException {
        to.writeInt(texts.size());
        for (String text : texts) {
            write(to, text);
        }
    }

    static List<String> readTexts(DataInputStream from) throws IOException {
        int count = from.readInt();
        if (count < 0 || count > LONGEST_LIST) {
            throw new IOException("a list of " + count + " texts");
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(readText(from));
        }
        return texts;
    }

    static void write(DataOutputStream to, ImageFacts facts) throws IOException {
        ImageFacts.Program program = facts.program();
        write(to, program.entrypoint());
        write(to, program.command());
        write(to, program.environment());
        write(to, program.user());
        write(to, program.workDir());
        write(to, facts.diffIds().stream().map(Digest::hex).toList());
    }

    static ImageFacts readFacts(DataInputStream from) throws IOException {
        ImageFacts.Program program = new ImageFacts.Program(
                readTexts(from), readTexts(from), readTexts(from), readText(from), readText(from));
        List<Digest> diffIds = new ArrayList<>();
        for (String hex : readTexts(from)) {
            diffIds.add(Digest.ofHex(hex).orElseThrow(() -> new IOException("no digest")));
        }
        return new ImageFacts(program, diffIds);
    }
}
