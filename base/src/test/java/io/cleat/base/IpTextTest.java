package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A text -> the address in its one form, or nothing. */
final class IpTextTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7",
        "fd00:0:0:0:0:0:0:2, fd00::2",
        "fd00:0:0:0:0:0:0:0, fd00::",
        "fd00:0:1:0:0:0:0:1, fd00:0:1::1",
        "fd00:0:1:2:3:4:5:6, fd00:0:1:2:3:4:5:6",
        "2001:DB8:0:0:1:0:0:0, 2001:db8:0:0:1::",
        "::, ::",
        "::1, ::1",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
        "10.1, ''",
        "256.0.0.1, ''",
        "fe80::1%eth0, ''",
        "example.com, ''",
        "'', ''",
        "1:2, ''",
    })
    void anAddress_hasOneForm(String text, String expected) {
        assertEquals(expected, IpText.canonical(text).orElse(""));
    }
}
