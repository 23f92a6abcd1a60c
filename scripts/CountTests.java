import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Adds up the test reports of all modules; the last line it prints is the count. Each skipped test
 * is named with its reason, and each that failed, or passed only when it was run once more, with what it
 * said and where. With CI=true a skip whose reason names {@code ./dev setup} is a failure: CI ran it.
 */
final class CountTests {
    private static final int LONGEST = 400;

    private int passed;
    private int failed;
    private int skipped;
    private int preventable;

    public static void main(String[] args) throws Exception {
        CountTests count = new CountTests();
        for (Path report : reports()) {
            count.read(report);
        }
        if (count.preventable > 0 && "true".equals(System.getenv("CI"))) {
            System.out.println(count.preventable + " tests were skipped for want of what ./dev setup installs");
            count.failed += count.preventable;
        }
        System.out.println(count.passed + " passed, " + count.failed + " failed, " + count.skipped + " skipped");
        System.exit(count.failed > 0 || count.passed == 0 ? 1 : 0);
    }

    private static List<Path> reports() throws IOException {
        PathMatcher report =
                FileSystems.getDefault().getPathMatcher("glob:**/target/surefire-reports/TEST-*.xml");
        try (Stream<Path> files = Files.walk(Path.of("."), 4)) {
            return files.filter(report::matches).sorted().toList();
        }
    }

    private void read(Path report) throws Exception {
        NodeList cases =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(report.toFile())
                        .getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            String name = test.getAttribute("classname") + "." + test.getAttribute("name");
            Optional<String> fault = fault(test, "failure", "error");
            if (fault.isPresent()) {
                failed++;
                System.out.println("failed: " + name + fault.get());
            } else if (test.getElementsByTagName("skipped").getLength() > 0) {
                skipped++;
                String reason = reason((Element) test.getElementsByTagName("skipped").item(0));
                System.out.println("skipped: " + name + ": " + reason);
                preventable += reason.contains("./dev setup") ? 1 : 0;
            } else {
                passed++;
                fault(test, "flakyFailure", "flakyError")
                        .ifPresent(first -> System.out.println("passed only when run once more: " + name + first));
            }
        }
    }

    /** A test with parameters has its reason in the first line of its stack, not as a message. */
    private static String reason(Element skipped) {
        String message = skipped.getAttribute("message");
        if (message.isEmpty()) {
            message = skipped.getTextContent().lines().findFirst().orElse("");
        }
        int begin = message.indexOf("reason: ");
        return begin < 0 ? "no reason given" : message.substring(begin + "reason: ".length());
    }

    /** What the first of such elements says, and the line of the test where it came to be; empty for none. */
    private static Optional<String> fault(Element test, String... kinds) {
        return Stream.of(kinds)
                .map(kind -> (Element) test.getElementsByTagName(kind).item(0))
                .filter(Objects::nonNull)
                .findFirst()
                .map(fault -> words(fault, test.getAttribute("classname")));
    }

    private static String words(Element fault, String ofClass) {
        String message = fault.getAttribute("message").lines().collect(Collectors.joining(" "));
        String cut = message.length() > LONGEST ? message.substring(0, LONGEST) + " ..." : message;
        String place = fault.getTextContent()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("at " + ofClass + "."))
                .findFirst()
                .orElse("");
        return ": " + fault.getAttribute("type") + ": " + cut + " " + place;
    }
}
