package io.cleat.fuzz;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which places of the program one input has reached, and how often. The classes of {@link CoveringLoader} call it;
 * there is one of it, public because two loaders meet here. For one thread.
 */
public final class Coverage {
    private static final int MOST = 1 << 19;
    private static final byte[] HITS = new byte[MOST];
    private static final byte[] SEEN = new byte[MOST];
    private static final int[] TOUCHED = new int[MOST];
    private static final AtomicInteger PLACES = new AtomicInteger();
    private static final List<String> WORDS = new CopyOnWriteArrayList<>();

    private static int touched;

    private Coverage() {}

    /** A new place. */
    public static int place() {
        return PLACES.getAndIncrement() % MOST;
    }

    /** Texts that the code compares with, or prints. */
    public static void words(List<String> found) {
        WORDS.addAll(found);
    }

    public static List<String> words() {
        return List.copyOf(WORDS);
    }

    /** Called by what is covered. */
    public static void hit(int place) {
        byte before = HITS[place];
        if (before == 0 && touched < MOST) {
            TOUCHED[touched++] = place;
        }
        if (before != Byte.MAX_VALUE) {
            HITS[place] = (byte) (before + 1);
        }
    }

    /** Forgets the last input's. */
    public static void begin() {
        for (int i = 0; i < touched; i++) {
            HITS[TOUCHED[i]] = 0;
        }
        touched = 0;
    }

    /** Whether the input went where none went before, or as often as none did. */
    public static boolean isNew() {
        boolean found = false;
        for (int i = 0; i < touched; i++) {
            int place = TOUCHED[i];
            int bucket = 1 << (31 - Integer.numberOfLeadingZeros(HITS[place]));
            if ((SEEN[place] & bucket) == 0) {
                SEEN[place] |= (byte) bucket;
                found = true;
            }
        }
        return found;
    }

    /** How many places were ever reached. */
    public static int reached() {
        int count = 0;
        for (byte seen : SEEN) {
            count += seen == 0 ? 0 : 1;
        }
        return count;
    }
}
