package io.cleat.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes an input of others: the same seed makes the same. */
final class Mutation {
    private static final int MOST_CHANGES = 5;
    private static final int[] DEPTHS = {2, 2, 3, 9, 9, 33, 101, 101, 1_000, 20_000};
    private static final String[] EDGES = {
        "0",
        "-1",
        "1",
        "255",
        "65536",
        "2147483647",
        "-2147483648",
        "4294967296",
        "9223372036854775807",
        "-9223372036854775808",
        "1e400",
        "0.1",
        "999999999"
    };

    private final Random chance;
    private final List<String> words;
    private final int largest;

    /** @param largest an input, in bytes */
    Mutation(Random chance, List<String> words, int largest) {
        this.chance = chance;
        this.words = words;
        this.largest = largest;
    }

    byte[] of(byte[] input, byte[] other) {
        byte[] made = input;
        // Mostly one: a second change hides what the first would have shown.
        int changes = chance.nextInt(3) > 0 ? 1 : 1 + chance.nextInt(MOST_CHANGES);
        for (int i = changes; i > 0; i--) {
            made = changed(made, other);
            if (made.length > largest) {
                made = Arrays.copyOf(made, largest);
            }
        }
        return made;
    }

    private byte[] changed(byte[] input, byte[] other) {
        return switch (chance.nextInt(17)) {
            case 0 -> flipped(input);
            case 1 -> number(input);
            case 2 -> without(input, range(input));
            case 3 -> with(input, at(input), slice(input, range(input)));
            case 4 -> with(input, at(input), slice(other, range(other)));
            case 5 -> Arrays.copyOf(input, at(input));
            case 6 -> with(input, at(input), word());
            case 7, 8 -> replaced(input, piece(input), word());
            case 9 -> replaced(input, piece(input), slice(other, piece(other)));
            case 10 -> without(input, piece(input));
            case 11 -> nested(input, piece(input));
            case 12 -> repeated(input, piece(input));
            case 13 -> replaced(input, piece(input), nothing());
            default -> replaced(input, piece(input), hostile());
        };
    }

    private byte[] flipped(byte[] input) {
        if (input.length == 0) {
            return new byte[] {(byte) chance.nextInt()};
        }
        byte[] made = input.clone();
        int at = chance.nextInt(made.length);
        made[at] = chance.nextBoolean() ? (byte) chance.nextInt() : (byte) (made[at] ^ (1 << chance.nextInt(8)));
        return made;
    }

    /** A number of several bytes at its edge, for what is not text. */
    private byte[] number(byte[] input) {
        if (input.length < Integer.BYTES) {
            return flipped(input);
        }
        byte[] made = input.clone();
        int at = chance.nextInt(made.length - Integer.BYTES + 1);
        int edge = switch (chance.nextInt(6)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Integer.MAX_VALUE;
            case 3 -> Integer.MIN_VALUE;
            case 4 -> 1 << chance.nextInt(31);
            default -> made.length;
        };
        for (int i = 0; i < Integer.BYTES; i++) {
            made[at + i] = (byte) (edge >>> (8 * (Integer.BYTES - 1 - i)));
        }
        return made;
    }

    private byte[] word() {
        if (words.isEmpty() || chance.nextInt(6) == 0) {
            return EDGES[chance.nextInt(EDGES.length)].getBytes(UTF_8);
        }
        return words.get(chance.nextInt(words.size())).getBytes(UTF_8);
    }

    /** What readers forget more often than anything else. */
    private byte[] nothing() {
        return (chance.nextBoolean() ? "null" : "[null]").getBytes(UTF_8);
    }

    private byte[] hostile() {
        int kind = chance.nextInt(10);
        List<String> all = kind == 0 ? HostileValues.PATTERNS : kind <= 2 ? HostileValues.NAMES : HostileValues.JSON;
        String value = all.get(chance.nextInt(all.size()));
        boolean isQuoted = kind <= 2 && chance.nextBoolean();
        return (isQuoted ? "\"" + value + "\"" : value).getBytes(UTF_8);
    }

    private byte[] nested(byte[] input, Pieces.Piece piece) {
        String[][] pairs = {
            {"[", "]"},
            {"(", ")"},
            {"{", "}"},
            {"{\"a\":", "}"},
            {"!", ""},
            {"-", ""},
            {"not ", ""},
            {"${", "}"},
            {"a{", "}"},
            {"[for x in ", " : x]"},
            {"a ? ", " : b"},
            {"{{ if 1 }}", "{{ end }}"},
            {"{{ range loop 99 }}", "{{ end }}"}
        };
        String[] pair = pairs[chance.nextInt(pairs.length)];
        int depth = DEPTHS[chance.nextInt(DEPTHS.length)];
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        made.writeBytes(pair[0].repeat(depth).getBytes(UTF_8));
        made.writeBytes(slice(input, piece));
        made.writeBytes(pair[1].repeat(depth).getBytes(UTF_8));
        return replaced(input, piece, made.toByteArray());
    }

    private byte[] repeated(byte[] input, Pieces.Piece piece) {
        byte[] part = slice(input, piece);
        int times = DEPTHS[chance.nextInt(DEPTHS.length - 2)];
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        for (int i = 0; i < times && made.size() < largest; i++) {
            made.writeBytes(part);
            made.writeBytes(chance.nextInt(4) == 0 ? new byte[] {','} : new byte[0]);
        }
        return replaced(input, piece, made.toByteArray());
    }

    private Pieces.Piece piece(byte[] input) {
        List<Pieces.Piece> all = Pieces.of(input);
        return all.isEmpty() ? range(input) : all.get(chance.nextInt(all.size()));
    }

    private Pieces.Piece range(byte[] input) {
        int from = at(input);
        int most = chance.nextBoolean() ? 8 : 256;
        return new Pieces.Piece(from, Math.min(input.length, from + 1 + chance.nextInt(most)));
    }

    private int at(byte[] input) {
        return chance.nextInt(input.length + 1);
    }

    private static byte[] slice(byte[] input, Pieces.Piece piece) {
        return Arrays.copyOfRange(input, piece.from(), piece.to());
    }

    private static byte[] without(byte[] input, Pieces.Piece piece) {
        return replaced(input, piece, new byte[0]);
    }

    private static byte[] with(byte[] input, int at, byte[] more) {
        return replaced(input, new Pieces.Piece(at, at), more);
    }

    private static byte[] replaced(byte[] input, Pieces.Piece piece, byte[] by) {
        byte[] made = new byte[input.length - piece.size() + by.length];
        System.arraycopy(input, 0, made, 0, piece.from());
        System.arraycopy(by, 0, made, piece.from(), by.length);
        System.arraycopy(input, piece.to(), made, piece.from() + by.length, input.length - piece.to());
        return made;
    }
}
