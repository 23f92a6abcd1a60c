package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.base.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
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
    void anAddressForOthersTakesAnyHostButNoOtherSite(String host, String origin, boolean isLetIn) throws Refused {
        assertEquals(
                isLetIn, Guard.anyHost().refuses(request(4646, host, origin)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"whatever, '', true", "localhost, http://evil.example, false"})
    void overAUnixSocketTheHostDoesNotMatter(String host, String origin, boolean isLetIn) throws Refused {
        assertEquals(
                isLetIn,
                Guard.local().refuses(request(Request.UNIX, host, origin)).isEmpty());
    }

    private static final AccessToken TOKEN = new AccessToken(new Secret("0123abcd"));

    private static Optional<String> refuses(int port, String method, String target, String header, String value)
            throws Refused {
        Map<String, String> headers = Map.of("host", "127.0.0.1:4646", header, value);
        return Guard.local().wanting(TOKEN).refuses(Request.of(method, target, headers, new byte[0], port));
    }

    @ParameterizedTest
    @CsvSource({
        "x-nomad-token, 0123abcd, true",
        "x-nomad-token, 0123abcD, false",
        "x-nomad-token, 0123abc, false",
        "x-nomad-token, '0123abcd,0123abcd', false",
        "authorization, Bearer 0123abcd, true",
        "authorization, bEARER 0123abcd, true",
        "authorization, Bearer, false",
        "authorization, Basic 0123abcd, false",
        "x-other, 0123abcd, false",
        "x-nomad-token, '', false",
    })
    void overTcpTheTokenIsWanted_wholeAndInOneOfItsFields(String header, String value, boolean isLetIn) throws Refused {
        for (String target : List.of("/v1/jobs", "/", "/v1/event/stream?topic=*", "/ui/")) {
            assertEquals(
                    isLetIn ? Optional.empty() : Optional.of("Permission denied"),
                    refuses(4646, "PUT", target, header, value));
        }
    }

    @Test
    void overAUnixSocketNoTokenIsWanted() throws Refused {
        assertEquals(Optional.empty(), refuses(Request.UNIX, "PUT", "/v1/jobs", "x-other", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/agent/health, true",
        "GET, /v1/agent/health?type=server, true",
        "PUT, /v1/agent/health, false",
        "GET, /v1/agent/health/, false",
        "GET, /v1/agent/self, false",
    })
    void whetherTheAgentIsWellIsToldWithoutAToken(String method, String target, boolean isLetIn) throws Refused {
        assertEquals(isLetIn, refuses(4646, method, target, "x-other", "").isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "cross-site, false",
        "Cross-Site, false",
        "CROSS-SITE, false",
        "same-origin, true",
        "none, true",
        "'', true",
    })
    void aPageOfAnotherSiteIsToldByItsBrowser_inWhicheverCase(String site, boolean isLetIn) throws Refused {
        Map<String, String> headers = Map.of("host", "127.0.0.1:4646", "sec-fetch-site", site);
        Request request = Request.of("GET", "/v1/jobs", headers, new byte[0], 4646);
        assertEquals(isLetIn, Guard.local().refuses(request).isEmpty());
    }

    @Test
    void aTokenOpensNothingForPagesOfOtherSites() throws Refused {
        Map<String, String> headers = Map.of(
                "host", "127.0.0.1:4646",
                "origin", "http://evil.example",
                "x-nomad-token", "0123abcd");
        Request request = Request.of("GET", "/v1/jobs", headers, new byte[0], 4646);
        assertTrue(Guard.local().wanting(TOKEN).refuses(request).orElseThrow().contains("evil"));
    }

    @Test
    void eachTokenIsNew_andSaysNothingOfItself() {
        AccessToken one = AccessToken.make();
        assertTrue(one.secret().reveal().matches("[0-9a-f]{64}"));
        assertNotEquals(one.secret(), AccessToken.make().secret());
        assertEquals(Secret.REDACTED, one.toString());
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, true", "localhost:80, true", "example.org, false"})
    void theDefaultPortNeedNotBeSaid(String host, boolean isLetIn) throws Refused {
        assertEquals(isLetIn, Guard.local().refuses(request(80, host, "")).isEmpty());
    }
}
