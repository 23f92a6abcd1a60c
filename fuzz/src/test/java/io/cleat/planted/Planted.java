package io.cleat.planted;

import io.cleat.fuzz.Target;
import java.util.List;

/** Falls over five bytes, one behind the other: nobody guesses them at once. */
public final class Planted implements Target {
    @Override
    public String name() {
        return "planted";
    }

    @Override
    public String about() {
        return "a fault that is known";
    }

    @Override
    public List<byte[]> samples() {
        return List.of(new byte[5]);
    }

    @Override
    public void run(byte[] input) {
        if (input.length > 4 && (input[0] & 7) == 7) {
            if ((input[1] & 7) == 5) {
                if ((input[2] & 7) == 3) {
                    if ((input[3] & 7) == 6) {
                        if ((input[4] & 7) == 2) {
                            throw new IllegalStateException("found");
                        }
                    }
                }
            }
        }
    }
}
