package io.cleat.codec;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/**
 * Reads times as they are written, {@code 2026-01-31T12:00:00.5Z}. The JDK's parser takes any form of time, and takes
 * so long for it that it was a quarter of reading a snapshot.
 */
final class ReadInstant extends ValueDeserializer<Instant> {
    private static final int FRACTION = 19;
    private static final int NANO_DIGITS = 9;

    @Override
    public Instant deserialize(JsonParser from, DeserializationContext context) {
        String text = from.getString();
        try {
            return isUsual(text) ? usual(text) : Instant.parse(text);
        } catch (DateTimeException | NumberFormatException unreadable) {
            throw context.weirdStringException(text, Instant.class, "not a time");
        }
    }

    private static boolean isUsual(String text) {
        int end = text.length() - 1;
        return end >= FRACTION
                && end <= FRACTION + 1 + NANO_DIGITS
                && end != FRACTION + 1
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':'
                && (end == FRACTION || text.charAt(FRACTION) == '.')
                && text.charAt(end) == 'Z';
    }

    private static Instant usual(String text) {
        long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                .toEpochDay();
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, FRACTION);
        if (hour > 23 || minute > 59 || second > 59) {
            throw new DateTimeException("no time of a day");
        }
        int nanos = 0;
        int end = text.length() - 1;
        if (end > FRACTION) {
            nanos = number(text, FRACTION + 1, end);
            for (int digits = end - FRACTION - 1; digits < NANO_DIGITS; digits++) {
                nanos *= 10;
            }
        }
        return Instant.ofEpochSecond(((day * 24 + hour) * 60 + minute) * 60 + second, nanos);
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new NumberFormatException("no digit");
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
