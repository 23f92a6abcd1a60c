package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/locks.md lists every class that has a lock. */
final class LocksTest {
    private static final Pattern LOCK =
            Pattern.compile("new (ReentrantLock|ReentrantReadWriteLock|StampedLock)\\(|\\.tryLock\\(");

    @Test
    void everyLockIsListed() {
        String page = Tree.text(Tree.ROOT.resolve("docs/locks.md"));
        Set<String> wrong = new TreeSet<>();
        int locks = 0;
        for (Path file : Tree.mainSources()) {
            boolean isFake = file.toString().contains("/fake/");
            if (!isFake && LOCK.matcher(SourceText.codeOf(Tree.text(file))).find()) {
                locks++;
                if (!page.contains("](../" + Tree.relative(file) + ")")) {
                    wrong.add(Tree.relative(file));
                }
            }
        }
        assertTrue(locks > 20, "the sources were not read: " + locks + " locks");
        assertEquals(Set.of(), wrong);
    }
}
