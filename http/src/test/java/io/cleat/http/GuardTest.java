package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Refused;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardTest {
    private static Request request(int port, String host, String origin) throws Refused {
        return Request.of("GET", "/", Map.of("host", host, "origin", origin), new byte[0], port);
    }

    @ParameterizedTest
    @CsvSource({
        "cleat.example:4646, '', true",
        "cleat.example:4646, http://cleat.example:4646, true",
        "cleat.example:4646, http://evil.example, false",
    })
    void anAddressForOthersTakesAnyHostButNoOtherSite(String host, String origin, boolean isLetIn)
            throws Refused {
        assertEquals(isLetIn, Guard.anyHost().refuses(request(4646, host, origin)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"whatever, '', true", "localhost, http://evil.example, false"})
    void overAUnixSocketTheHostDoesNotMatter(String host, String origin, boolean isLetIn)
            throws Refused {
        assertEquals(isLetIn, Guard.local().refuses(request(Request.UNIX, host, origin)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, true", "localhost:80, true", "example.org, false"})
    void theDefaultPortNeedNotBeSaid(String host, boolean isLetIn) throws Refused {
        assertEquals(isLetIn, Guard.local().refuses(request(80, host, "")).isEmpty());
    }
}
