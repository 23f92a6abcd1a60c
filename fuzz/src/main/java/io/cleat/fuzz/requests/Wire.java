package io.cleat.fuzz.requests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.fuzz.requests.Attack.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** Damage of what is below the request: lengths, chunks, halves, frames, and no HTTP at all. */
final class Wire {
    private static final int LONG = 100_000;

    private final Random chance;

    Wire(Random chance) {
        this.chance = chance;
    }

    /** Bodies that are no JSON, or not in the way it is sent. */
    List<byte[]> bodies(Sent sent) {
        String text = sent.body().orElse("{}");
        byte[] body = text.getBytes(UTF_8);
        String put = sent.route().method();
        List<byte[]> all = new ArrayList<>();
        for (String whole : List.of(
                "null",
                "[]",
                "{}",
                "\"\"",
                "0",
                "true",
                "[null]",
                "{",
                "}",
                "{\"a\"",
                "{\"a\":",
                "[[[",
                text + text,
                text + "x",
                "/*c*/" + text,
                "{\"\":" + text + "}",
                text.replace(":", "="),
                text.replace('"', '\''),
                text.replace(",", ",,"),
                "\ufeff" + text,
                " ".repeat(LONG) + text,
                "[".repeat(LONG),
                "{\"a\":".repeat(LONG),
                "\u0000" + text,
                "NaN",
                "-",
                "1e",
                "\"\\ud800",
                "{\"Job\":null}",
                "{\"Job\":[]}",
                "{\"Volumes\":null}",
                "{\"Volumes\":[null]}",
                "{\"Volumes\":{}}",
                "{\"Snapshots\":[null]}")) {
            all.add(sent.with(whole).bytes());
        }
        for (int i = 0; i < 6; i++) {
            int end = chance.nextInt(body.length);
            all.add(sent.bytes(put, "", Arrays.copyOf(body, end)));
        }
        byte[] flipped = body.clone();
        flipped[chance.nextInt(body.length)] = (byte) 0xff;
        all.add(sent.bytes(put, "", flipped));
        all.add(sent.bytes(put, "", text.getBytes(UTF_16)));
        all.add(sent.bytes(put, "", (text + "\u00e9").getBytes(ISO_8859_1)));
        all.add(sent.bytes(put, "", gzip(body)));
        all.add(sent.bytes(put, "Content-Encoding: gzip\r\n", gzip(body)));
        all.add(sent.bytes(put, "Content-Encoding: br\r\n", body));
        all.add(sent.bytes(put, "Content-Type: text/xml\r\n", body));
        all.add(sent.bytes(put, "Content-Type: ;;;\r\n", body));
        return all;
    }

    /** Lengths that are not those of the body. Nothing is sent behind it. */
    List<byte[]> lengths(Sent sent) {
        byte[] body = sent.body().orElse("{}").getBytes(UTF_8);
        String put = sent.route().method();
        List<byte[]> all = new ArrayList<>();
        for (String length : List.of(
                "-1",
                "abc",
                "",
                "1e3",
                "9223372036854775807",
                "99999999999999999999",
                "5000000",
                "+5",
                "0x5",
                "5, 5",
                "0",
                "1")) {
            all.add(Sent.joined(sent.head(put, "Content-Length: " + length + "\r\n"), body));
        }
        String twice = Sent.lengthOf(body.length) + Sent.lengthOf(3);
        all.add(Sent.joined(sent.head(put, twice), body));
        String both = Sent.lengthOf(body.length) + "Transfer-Encoding: chunked\r\n";
        all.add(Sent.joined(sent.head(put, both), body));
        all.add(Sent.joined(sent.head(put, ""), body));
        return all;
    }

    List<byte[]> chunks(Sent sent) {
        String text = sent.body().orElse("{}");
        String size = Integer.toHexString(text.getBytes(UTF_8).length);
        String put = sent.route().method();
        List<byte[]> all = new ArrayList<>();
        for (String chunks : List.of(
                size + "\r\n" + text + "\r\n0\r\n\r\n",
                size + ";a=b\r\n" + text + "\r\n0\r\nX: y\r\n\r\n",
                "zz\r\n" + text,
                "-1\r\n" + text,
                "ffffffffffffffff\r\n" + text,
                "7fffffff\r\n" + text,
                size + "\n" + text + "\n0\n\n",
                "1\r\n{\r\n".repeat(500),
                "0\r\n\r\n",
                "\r\n",
                "1;" + "a".repeat(LONG))) {
            all.add(Sent.joined(sent.head(put, "Transfer-Encoding: chunked\r\n"), chunks.getBytes(UTF_8)));
        }
        for (String encoding : List.of("gzip", "chunked, chunked", "identity", ",", "xchunked")) {
            all.add(Sent.joined(
                    sent.head(put, "Transfer-Encoding: " + encoding + "\r\n"),
                    (size + "\r\n" + text + "\r\n0\r\n\r\n").getBytes(UTF_8)));
        }
        return all;
    }

    /** The begin of a request, and then nobody. */
    List<byte[]> halves(Sent sent) {
        byte[] whole = sent.bytes();
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(Arrays.copyOf(whole, 1 + chance.nextInt(whole.length - 1)));
        }
        return all;
    }

    List<byte[]> pipelines(Sent sent) {
        byte[] whole = sent.bytes();
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        for (int i = 0; i < 30; i++) {
            many.writeBytes(whole);
        }
        ByteArrayOutputStream smuggled = new ByteArrayOutputStream();
        smuggled.writeBytes(whole);
        smuggled.writeBytes("GET /v1/jobs HTTP/1.1\r\nHost: a\r\n\r\nGET".getBytes(UTF_8));
        return List.of(many.toByteArray(), smuggled.toByteArray());
    }

    /** Heads that nobody should send. */
    List<byte[]> garbage(Sent sent) {
        byte[] random = new byte[300];
        chance.nextBytes(random);
        String target = sent.target();
        String get = sent.route().method();
        List<byte[]> all = new ArrayList<>(List.of(random));
        for (String head : List.of(
                get + " " + target + "\r\n\r\n",
                get + " " + target + " HTTP/9.9\r\nHost: a\r\n\r\n",
                get + " " + target + " HTTP/1.0\r\n\r\n",
                get + " " + target + " HTTP/1.1\r\n\r\n",
                get + " http://evil" + target + " HTTP/1.1\r\nHost: a\r\n\r\n",
                get + " //" + target + " HTTP/1.1\r\nHost: a\r\n\r\n",
                get + " " + target + "#x HTTP/1.1\r\nHost: a\r\n\r\n",
                get + " " + target + "\u0000 HTTP/1.1\r\nHost: a\r\n\r\n",
                get + " " + target + " HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
                get + " " + target + " HTTP/1.1\r\n: a\r\n\r\n",
                get + " " + target + " HTTP/1.1\r\nHost: a\r\nA\u0000: b\r\n\r\n",
                get + " " + target + " HTTP/1.1\r\n" + "A: b\r\n".repeat(5_000) + "\r\n",
                get + " " + target + " HTTP/1.1\r\nA: " + "b".repeat(LONG) + "\r\n\r\n",
                get + " " + target + "&" + "a".repeat(LONG) + " HTTP/1.1\r\n\r\n",
                get + "\r\n\r\n\r\n",
                "\r\n\r\n\r\n" + get + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
                get + " " + target + " HTTP/1.1\nHost: a\n\n")) {
            all.add(head.getBytes(UTF_8));
        }
        return all;
    }

    /** Upgrades, with frames that are none. */
    List<byte[]> webSockets(Sent sent) {
        String upgrade = sent.head(
                "GET",
                String.join(
                        "\r\n",
                        "Upgrade: websocket",
                        "Connection: Upgrade",
                        "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                        ""));
        List<byte[]> all = new ArrayList<>();
        for (byte[] frames : List.of(
                frame(0x81, Attack.bytes("{\"stdin\":{\"data\":\"aGVsbG8=\"}}")),
                frame(0x81, Attack.bytes("{\"stdin\":{\"data\":\"!!!\",\"close\":true}}")),
                frame(0x81, Attack.bytes("{\"tty_size\":{\"height\":-1,\"width\":99999}}")),
                frame(0x81, Attack.bytes("{\"stdin\":null,\"tty_size\":null}")),
                frame(0x81, Attack.bytes("null")),
                frame(0x81, Attack.bytes("[".repeat(9_000))),
                frame(0x81, new byte[] {(byte) 0xff, (byte) 0xfe}),
                frame(0x82, new byte[70_000]),
                frame(0x01, Attack.bytes("{")),
                frame(0x80, Attack.bytes("x")),
                frame(0x88, new byte[] {1}),
                frame(0x88, new byte[] {(byte) 0xff, (byte) 0xff}),
                frame(0x89, new byte[125]),
                frame(0xff, new byte[9]),
                new byte[] {(byte) 0x81, (byte) 0xff, 127, -1, -1, -1, -1, -1, -1, -1},
                new byte[] {(byte) 0x81, 5, 'a', 'b'},
                new byte[0])) {
            all.add(Sent.joined(upgrade, frames));
        }
        all.add(Attack.bytes(upgrade.replace("Version: 13", "Version: 99")));
        all.add(Attack.bytes(upgrade.replace("dGhlIHNhbXBsZSBub25jZQ==", "x")));
        return all;
    }

    /** Masked by zeros, with its true length. */
    private static byte[] frame(int first, byte[] payload) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(first);
        if (payload.length < 126) {
            frame.write(0x80 | payload.length);
        } else if (payload.length < 65_536) {
            frame.write(0x80 | 126);
            frame.write(payload.length >>> 8);
            frame.write(payload.length);
        } else {
            frame.write(0x80 | 127);
            frame.writeBytes(new byte[4]);
            for (int shift = 24; shift >= 0; shift -= 8) {
                frame.write(payload.length >>> shift);
            }
        }
        frame.writeBytes(new byte[4]);
        frame.writeBytes(payload);
        return frame.toByteArray();
    }

    private static byte[] gzip(byte[] body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    /** Which of them may be answered by silence, so that the connection is given up. */
    static boolean isSilent(Kind kind) {
        return switch (kind) {
            case LENGTH, CHUNKS, HALF, PIPELINE, GARBAGE, WEBSOCKET -> true;
            default -> false;
        };
    }
}
