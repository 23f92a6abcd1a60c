package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.registry.ImageName;
import io.cleat.exchange.HttpReply;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** An image of one program, made from the program's file: no registry is asked for it. */
final class OneFileImage {
    /** Of a header, and of what follows it. */
    private static final int BLOCK = 512;

    private static final int SUM = 148;
    private static final int SUM_LENGTH = 8;

    private final Engine engine;
    private final byte[] tar;
    private final ImageName name;

    private OneFileImage(Engine engine, byte[] tar, ImageName name) {
        this.engine = engine;
        this.tar = tar;
        this.name = name;
    }

    /**
     * Reads the program.
     *
     * @param program statically linked; at {@code /NAME} in the image, by its file's name
     * @param repository the image's name; its tag is of what the program is
     */
    static OneFileImage of(Engine engine, Path program, String repository) throws DriverTrouble {
        byte[] tar;
        try {
            tar = tar(program.getFileName().toString(), Files.readAllBytes(program));
        } catch (IOException unreadable) {
            throw new DriverTrouble(
                    program + " cannot be read: " + unreadable, Effect.NONE, Retry.SAME_CALL, unreadable);
        }
        String tag = Integer.toHexString(Arrays.hashCode(tar));
        return new OneFileImage(engine, tar, new ImageName(repository, tag, ""));
    }

    /** Its name. */
    ImageName name() {
        return name;
    }

    /** The image's id; it is made if the engine has none of that program. */
    String ensure() throws DriverTrouble {
        String there = "/images/" + Pulls.encodedPath(name) + "/json";
        try {
            return engine.get(there).path("Id").asString("");
        } catch (EngineAnswer answer) {
            if (answer.status() != EngineAnswer.ABSENT) {
                throw answer;
            }
        }
        bring();
        return engine.get(there).path("Id").asString("");
    }

    private void bring() throws DriverTrouble {
        // With its tag: Podman does not look at one beside it.
        String target = "/images/create?fromSrc=-&repo=" + Engine.encoded(name.toString());
        Map<String, String> fields = Map.of("Content-Type", "application/x-tar");
        try (HttpReply reply = engine.stream("POST", target, tar, fields, Engine.LONG);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String error = line.isBlank()
                        ? ""
                        : Engine.line("POST /images/create", line).path("error").asString("");
                if (!error.isEmpty()) {
                    throw new DriverTrouble(
                            "the engine did not take the image " + name + ": " + error, Effect.NONE, Retry.SAME_CALL);
                }
            }
        } catch (IOException cut) {
            throw engine.cut("POST", "POST /images/create", cut);
        }
    }

    /** An archive of one file (POSIX.1-1988, "ustar"). */
    static byte[] tar(String name, byte[] content) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000755");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, 124, "%011o".formatted(content.length));
        put(header, 136, "00000000000");
        put(header, SUM, " ".repeat(SUM_LENGTH));
        header[156] = '0';
        put(header, 257, "ustar");
        put(header, 263, "00");
        int sum = 0;
        for (byte each : header) {
            sum += each;
        }
        put(header, SUM, "%06o\0 ".formatted(sum));
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        tar.writeBytes(header);
        tar.writeBytes(content);
        int rest = content.length % BLOCK;
        tar.writeBytes(new byte[(rest == 0 ? 0 : BLOCK - rest) + 2 * BLOCK]);
        return tar.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
