package io.cleat.driver.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersTest {
    @TempDir
    Path etc;

    @Test
    void aUserIsANameOrNumbers() throws Exception {
        Path passwd = Files.writeString(etc.resolve("passwd"), "root:x:0:0::/:/bin/sh\nweb:x:33:34::/:/bin/sh\n");
        Path group = Files.writeString(etc.resolve("group"), "web:x:34:\ndisk:x:6:root,web\n");
        Users users = new Users(passwd, group);
        assertEquals(List.of(33L, 34L, 6L), users.ids("web"));
        assertEquals(List.of(1000L, 1000L), users.ids("1000"));
        assertEquals(List.of(1000L, 7L), users.ids("1000:7"));
        for (String none : List.of("nobody-here", "1000:", ":7", "4294967295", "-1")) {
            DriverTrouble refused = assertThrows(DriverTrouble.class, () -> users.ids(none), none);
            assertTrue(refused.reason().contains("'" + none + "'"), refused.reason());
        }
    }
}
