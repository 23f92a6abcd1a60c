package io.cleat.fuzz.requests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.fuzz.targets.Bodies;
import io.cleat.fuzz.targets.HttpRequests;
import io.cleat.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The battery has each route, each parameter and each body that the routes read. */
final class BatteryTest {
    private static final int MANY = 20_000;
    private static final Ids IDS = new Ids("j", "v", "a", "e", "d", "p", "n");
    private static final Path ROOT = Path.of(System.getProperty("cleat.root", ".."));
    private static final List<Path> SOURCES = List.of(
            ROOT.resolve("http/src/main/java/io/cleat/http"),
            ROOT.resolve("cluster-api/src/main/java/io/cleat/clusterapi"));

    /** How a query parameter is read, in whatever words. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?:\\.(?:text|texts|query)\\(|\\(\\s*request,\\s*)\"([a-z_]+)\"");

    private static final Pattern BODY = Pattern.compile("Bodies\\.read(?:Or)?\\(\\s*request,\\s*(\\w+)\\.class");

    private static Set<String> inSources(Pattern pattern) throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path sources : SOURCES) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    Matcher matcher = pattern.matcher(Files.readString(file));
                    while (matcher.find()) {
                        found.add(matcher.group(1));
                    }
                }
            }
        }
        return found;
    }

    @Test
    void everyParameterThatARouteReadsIsAmongThoseThatAreDamaged() throws IOException {
        Set<String> read = inSources(PARAMETER);
        read.removeAll(Parameters.QUERY);
        assertEquals(Set.of(), read, "add them to Parameters.QUERY");
    }

    @Test
    void everyBodyThatARouteReadsHasASample() throws IOException {
        Set<String> known = HttpRequests.routes().stream()
                .flatMap(route -> Bodies.of(route.pattern()).stream())
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(inSources(BODY), known, "add them to Bodies");
    }

    @Test
    void eachRouteHasEachKindOfDamageThatItCanHave_andTheSameSeedMakesTheSame() {
        List<Attack> attacks = new Battery(3, IDS).requests(MANY);
        assertEquals(MANY, attacks.size());
        List<Attack> again = new Battery(3, IDS).requests(MANY);
        for (Route route : HttpRequests.routes()) {
            String name = route.method() + " " + route.pattern();
            Set<Attack.Kind> kinds = EnumSet.allOf(Attack.Kind.class);
            if (!route.pattern().contains(":")) {
                kinds.remove(Attack.Kind.VARIABLE);
            }
            if (!route.method().equals("PUT")) {
                kinds.removeAll(Set.of(Attack.Kind.FIELD, Attack.Kind.BODY));
            } else if (Bodies.of(route.pattern()).isEmpty()) {
                kinds.remove(Attack.Kind.FIELD);
            }
            Set<Attack.Kind> had = EnumSet.noneOf(Attack.Kind.class);
            attacks.stream().filter(attack -> attack.route().equals(name)).forEach(attack -> had.add(attack.kind()));
            kinds.removeAll(had);
            assertEquals(Set.of(), kinds, name);
        }
        for (int i = 0; i < MANY; i++) {
            assertArrayEquals(attacks.get(i).bytes(), again.get(i).bytes());
        }
    }

    @Test
    void aLineHasEveryByte() {
        Attack attack =
                new Attack("r", Attack.Kind.NOTHING, new byte[] {'a', '\'', '%', '\\', 0, -1}, Attack.Answer.READ);
        assertEquals("printf 'a\\047\\045\\134\\000\\377' | socat -t 30 - UNIX-CONNECT:http.sock", attack.line());
    }
}
