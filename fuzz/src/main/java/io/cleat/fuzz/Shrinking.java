package io.cleat.fuzz;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Makes an input smaller as long as it is found for the same reason. */
final class Shrinking {
    private final Trial trial;
    private final BooleanSupplier isTimeOver;

    Shrinking(Trial trial, BooleanSupplier isTimeOver) {
        this.trial = trial;
        this.isTimeOver = isTimeOver;
    }

    byte[] of(byte[] found, Trial.Fault fault) {
        byte[] least = found;
        for (int size = Math.max(1, found.length / 2); size > 0; size /= 2) {
            int at = 0;
            while (at < least.length) {
                if (isTimeOver.getAsBoolean()) {
                    return least;
                }
                byte[] less = without(least, at, Math.min(size, least.length - at));
                Optional<Trial.Fault> again = trial.end(less).fault();
                if (again.isPresent() && again.get().key().equals(fault.key())) {
                    least = less;
                } else {
                    at += size;
                }
            }
        }
        return least;
    }

    private static byte[] without(byte[] input, int at, int size) {
        byte[] made = Arrays.copyOf(input, input.length - size);
        System.arraycopy(input, at + size, made, at, input.length - at - size);
        return made;
    }
}
