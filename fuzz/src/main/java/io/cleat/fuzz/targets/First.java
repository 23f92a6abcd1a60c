package io.cleat.fuzz.targets;

import java.util.Arrays;

/** Inputs whose first byte says for which reader the rest is: a letter, from {@code A} on. */
final class First {
    private First() {}

    static byte[] with(int kind, byte[] rest) {
        byte[] input = new byte[rest.length + 1];
        input[0] = (byte) ('A' + kind);
        System.arraycopy(rest, 0, input, 1, rest.length);
        return input;
    }

    /** From 0 to {@code kinds - 1}, whatever stands there. */
    static int of(byte[] input, int kinds) {
        return input.length == 0 ? 0 : Math.floorMod(input[0] - 'A', kinds);
    }

    static byte[] rest(byte[] input) {
        return input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
    }
}
