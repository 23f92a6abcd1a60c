package io.cleat.bench;

import java.util.Locale;

/** What a figure counts, and how people read it. */
public enum Unit {
    /** Shown in the unit that suits its size. */
    SECONDS {
        @Override
        String text(double value) {
            if (value < 1e-6) {
                return number(value * 1e9) + " ns";
            }
            if (value < 1e-3) {
                return number(value * 1e6) + " us";
            }
            return value < 1 ? number(value * 1e3) + " ms" : number(value) + " s";
        }
    },
    BYTES {
        @Override
        String text(double value) {
            if (value < 10_000) {
                return number(value) + " B";
            }
            return value < 1_000_000 ? number(value / 1e3) + " kB" : number(value / 1e6) + " MB";
        }
    },
    PER_SECOND {
        @Override
        String text(double value) {
            return number(value) + "/s";
        }
    },
    BYTES_PER_SECOND {
        @Override
        String text(double value) {
            return number(value / 1e6) + " MB/s";
        }
    };

    abstract String text(double value);

    /** Whether the higher of two figures is the better one. */
    boolean isMoreBetter() {
        return this == PER_SECOND || this == BYTES_PER_SECOND;
    }

    /** Three digits that count, or all before the point. */
    static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
