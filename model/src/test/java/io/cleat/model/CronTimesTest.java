package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times of periodic jobs. Text and moment -> times. */
final class CronTimesTest {
    private static final ZoneId UTC = ZoneId.of("UTC");

    /** The next two after the evening of Friday, 2026-03-27, in UTC. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    */7 * * * *         | 2026-03-27T23:07:00Z | 2026-03-27T23:14:00Z
                    5/15 * * * *        | 2026-03-27T23:05:00Z | 2026-03-27T23:20:00Z
                    0 3 * * *           | 2026-03-28T03:00:00Z | 2026-03-29T03:00:00Z
                    @daily              | 2026-03-28T00:00:00Z | 2026-03-29T00:00:00Z
                    @hourly             | 2026-03-28T00:00:00Z | 2026-03-28T01:00:00Z
                    @weekly             | 2026-03-29T00:00:00Z | 2026-04-05T00:00:00Z
                    @monthly            | 2026-04-01T00:00:00Z | 2026-05-01T00:00:00Z
                    @yearly             | 2027-01-01T00:00:00Z | 2028-01-01T00:00:00Z
                    0 0 * * 0           | 2026-03-29T00:00:00Z | 2026-04-05T00:00:00Z
                    0 0 * * 7           | 2026-03-29T00:00:00Z | 2026-04-05T00:00:00Z
                    0 0 * * MON-WED     | 2026-03-30T00:00:00Z | 2026-03-31T00:00:00Z
                    0 0 * JAN,jul *     | 2026-07-01T00:00:00Z | 2026-07-02T00:00:00Z
                    0 12 L * *          | 2026-03-31T12:00:00Z | 2026-04-30T12:00:00Z
                    0 12 15W * *        | 2026-04-15T12:00:00Z | 2026-05-15T12:00:00Z
                    0 12 * * FRI#2      | 2026-04-10T12:00:00Z | 2026-05-08T12:00:00Z
                    0 12 * * 5L         | 2026-04-24T12:00:00Z | 2026-05-29T12:00:00Z
                    0 0 1 * 1           | 2026-03-30T00:00:00Z | 2026-04-01T00:00:00Z
                    0 0 ? * ?           | 2026-03-28T00:00:00Z | 2026-03-29T00:00:00Z
                    0 0 1 * ?           | 2026-04-01T00:00:00Z | 2026-05-01T00:00:00Z
                    0 0 1 1 * 2030      | 2030-01-01T00:00:00Z |
                    30 0 0 * * * *      | 2026-03-28T00:00:30Z | 2026-03-29T00:00:30Z
                    0 0 22-23,0-1 * * * * | 2026-03-28T00:00:00Z | 2026-03-28T01:00:00Z
                    0 0 29 2 *          | 2028-02-29T00:00:00Z | 2032-02-29T00:00:00Z
                    """)
    void aTextMeansTimes(String text, Instant first, Instant second) {
        CronTimes times = CronTimes.parse(text);
        Optional<Instant> next = times.after(Instant.parse("2026-03-27T23:00:00Z"), UTC);
        assertEquals(Optional.of(first), next);
        assertEquals(Optional.ofNullable(second), times.after(first, UTC));
    }

    /** Either day, as crontab(5) has it: of a library both had to fit. */
    @Test
    void whereBothDaysAreGiven_eitherWillDo() {
        CronTimes times = CronTimes.parse("0 0 13 * FRI");
        assertEquals(
                Optional.of(Instant.parse("2026-04-03T00:00:00Z")),
                times.after(Instant.parse("2026-03-27T23:00:00Z"), UTC));
        assertEquals(
                Optional.of(Instant.parse("2026-04-13T00:00:00Z")),
                times.after(Instant.parse("2026-04-10T00:00:00Z"), UTC));
    }

    @Test
    void anHourThatClocksSkip_hasNone_andOneThatTheyRepeat_hasOne() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        assertEquals(
                List.of("2026-03-28T02:30+01:00", "2026-03-30T02:30+02:00"),
                two("30 2 * * *", "2026-03-27T23:00:00Z", berlin));
        assertEquals(
                List.of("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"),
                two("30 2 * * *", "2026-10-24T23:00:00Z", berlin));
    }

    private static List<String> two(String text, String from, ZoneId zone) {
        List<String> found = new ArrayList<>();
        Instant at = Instant.parse(from);
        for (int i = 0; i < 2; i++) {
            at = CronTimes.parse(text).after(at, zone).orElseThrow();
            found.add(ZonedDateTime.ofInstant(at, zone).toOffsetDateTime().toString());
        }
        return found;
    }

    @Test
    void ofSeveral_theNextIsTheFirstOfAny() {
        JobLaunch.Periodic periodic =
                new JobLaunch.Periodic(true, "", List.of("0 3 * * *", "0 1 * * SUN"), false, "UTC");
        Instant saturday = Instant.parse("2026-03-28T03:00:00Z");
        Optional<Instant> next = CronTimes.next(periodic, saturday);
        assertEquals(Optional.of(Instant.parse("2026-03-29T01:00:00Z")), next);
        assertEquals(Optional.of(Instant.parse("2026-03-29T03:00:00Z")), CronTimes.next(periodic, next.orElseThrow()));
    }

    @Test
    void aDayThatNeverComes_isNone() {
        assertEquals(Optional.empty(), CronTimes.parse("0 0 30 2 *").after(Instant.EPOCH, UTC));
        assertEquals(
                Optional.empty(), CronTimes.parse("0 0 * * * 2020").after(Instant.parse("2021-01-01T00:00:00Z"), UTC));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0 3 * *         | has 4 fields
                    1 2 3 4 5 6 7 8 | has 8 fields
                    ''              | has 0 fields
                    61 * * * *      | 61
                    x * * * *       | X
                    @never          | "@never" is not known; there are @annually
                    0 2 L * F#      | a field lacks a number
                    0 3 , * *       | Trailing commas
                    0 # * * *       | #
                    0 22-2 * * *    | "22-2" ends before it begins
                    """)
    void aFault_isSaid(String text, String words) {
        IllegalArgumentException fault = assertThrows(IllegalArgumentException.class, () -> CronTimes.parse(text));
        assertTrue(String.valueOf(fault.getMessage()).contains(words), fault::getMessage);
    }

    @Test
    void aLongText_isRefused() {
        IllegalArgumentException fault =
                assertThrows(IllegalArgumentException.class, () -> CronTimes.parse("1,".repeat(200) + "1 * * * *"));
        assertTrue(String.valueOf(fault.getMessage()).contains("at most 256 are possible"), fault::getMessage);
    }
}
