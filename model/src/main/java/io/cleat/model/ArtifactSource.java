package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an artifact is fetched from, read from the words of a job: a URL, a path, or a short form such as
 * {@code github.com/owner/name}; {@code kind::} before it says what it is taken for, {@code //directory} in it takes
 * that directory of it only, and options may stand in its query.
 *
 * @param location a URL or an absolute path, without subdirectory and without our own options
 * @param subdirectory plain names with single slashes between them; empty for all of it
 * @param options those of {@link #OPTIONS} that were given, by name
 */
public record ArtifactSource(Kind kind, String location, String subdirectory, Map<String, String> options) {
    /** The options that mean something here; any other goes into the query of an HTTP request. */
    public static final Set<String> OPTIONS =
            Ordered.setOf("archive", "checksum", "depth", "filename", "ref", "sshkey");

    private static final Set<String> GIT_OPTIONS = Ordered.setOf("depth", "ref", "sshkey");
    private static final Set<String> FILE_OPTIONS = Ordered.setOf("archive", "checksum", "filename");

    private static final Pattern FORCED = Pattern.compile("([A-Za-z0-9]+)::(.+)");
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://.*");
    private static final Pattern SCP = Pattern.compile("([^@/:]+)@([^:/]+):/?([^/].*)");
    private static final Pattern HOSTED =
            Pattern.compile("((?:github\\.com|gitlab\\.com|bitbucket\\.org)/[^/?]+/[^/?]+)(.*)");

    /** How it is fetched. */
    public enum Kind {
        HTTP,
        GIT,
        /** A path of the machine itself. */
        FILE
    }

    public ArtifactSource {
        options = Ordered.copyOf(options);
    }

    /**
     * @param given as in the job, its <code>${..}</code> replaced
     * @param more options beside those in the query; they count where both are given
     * @throws Refused if nothing could be fetched from it, with what to write instead
     */
    public static ArtifactSource parse(String given, Map<String, String> more) throws Refused {
        Named named = Named.of(given.strip());
        Query query = Query.of(named.url(), more);
        Kind known = kind(named, query.base(), given);
        int at = subdirectoryAt(query.base());
        String location = at < 0 ? query.base() : query.base().substring(0, at);
        String below = at < 0 ? "" : plain(query.base().substring(at + 2));
        if (known == Kind.HTTP && !query.rest().isEmpty()) {
            location += "?" + query.rest();
        }
        Matcher path = Pattern.compile("file://(/.*)").matcher(location);
        if (path.matches()) {
            location = path.group(1);
        }
        ArtifactSource read = new ArtifactSource(known, location, below, query.options());
        read.check(query);
        return read;
    }

    /** The source in words for people: without credentials, query and options. */
    public String shown() {
        String plain = location.replaceAll("(?s)\\?.*", "");
        if (plain.contains("://")) {
            plain = plain.replaceFirst("://[^/]*@", "://");
        }
        return (kind == Kind.GIT ? "git::" : "")
                + plain
                + (subdirectory.isEmpty() ? "" : "//" + subdirectory)
                + (options.containsKey("ref") ? "?ref=" + options.get("ref") : "");
    }

    /** As {@link #shown()}, for a source that may not be readable. */
    public static String shown(String given) {
        return given.replaceAll("(?s)\\?.*", "").replaceFirst("://[^/]*@", "://");
    }

    private void check(Query query) throws Refused {
        if (kind == Kind.FILE && !location.startsWith("/")) {
            throw refused("\""
                    + shown()
                    + "\" is neither a URL nor an absolute path; expected a source such as"
                    + " https://host/file.tar.gz or git::https://host/name.git");
        }
        if (kind == Kind.HTTP && !location.matches("(?i)https?://.*")) {
            throw refused(
                    "\"" + shown() + "\" is no http or https URL; expected a source such as https://host/file.tar.gz");
        }
        Set<String> usual = kind == Kind.GIT ? GIT_OPTIONS : FILE_OPTIONS;
        for (String option : new TreeMap<>(options).keySet()) {
            if (!usual.contains(option)) {
                throw refused("option \""
                        + option
                        + "\" says nothing about "
                        + (kind == Kind.GIT ? "a git repository" : "a file")
                        + "; expected some of "
                        + usual.stream().sorted().toList());
            }
        }
        if (kind != Kind.HTTP && !query.rest().isEmpty()) {
            throw refused("option \""
                    + query.rest().replaceAll("=.*", "")
                    + "\" is not known; expected some of "
                    + usual.stream().sorted().toList());
        }
        String filename = options.getOrDefault("filename", "file");
        if (filename.contains("/") || filename.equals("..") || filename.isEmpty()) {
            throw refused("option \"filename\" is one name without slashes, not " + filename);
        }
        String depth = options.getOrDefault("depth", "0");
        if (!depth.matches("[0-9]{1,9}")) {
            throw refused("option \"depth\" is a number of commits such as 1, not " + depth);
        }
        if (options.containsKey("checksum")) {
            ArtifactChecksum.parse(options.get("checksum"));
        }
        ArtifactPacking.ofOption(options.getOrDefault("archive", ""));
    }

    private static Kind kind(Named named, String base, String given) throws Refused {
        Matcher scheme = SCHEME.matcher(base);
        String by = named.kind();
        if (by.isEmpty()) {
            by = scheme.matches() ? scheme.group(1).toLowerCase(Locale.ROOT) : "file";
        }
        return switch (by) {
            case "http", "https" -> Kind.HTTP;
            case "git", "ssh" -> Kind.GIT;
            case "file" -> Kind.FILE;
            case "s3" ->
                throw refused(
                        "s3 sources are not fetched; give the object's https address, signed where it is not public");
            case "gcs", "gs" ->
                throw refused(
                        "gcs sources are not fetched; give the object's https address, signed where it is not public");
            case "hg" ->
                throw refused(
                        "hg sources are not fetched; give the https address of an archive of the repository, or use "
                                + "git");
            default ->
                throw refused("\""
                        + shown(given)
                        + "\" is of the kind \""
                        + by
                        + "\"; expected one of http, https, git, ssh and file");
        };
    }

    /** Where the two slashes are that no scheme has before them; -1 if nowhere. */
    private static int subdirectoryAt(String base) {
        int scheme = base.indexOf("://");
        return base.indexOf("//", scheme < 0 ? 1 : scheme + 3);
    }

    private static String plain(String below) throws Refused {
        List<String> names = List.of(below.split("/", -1));
        List<String> kept = names.stream().filter(name -> !name.isEmpty()).toList();
        if (kept.stream().anyMatch(name -> name.equals(".") || name.equals(".."))) {
            throw refused("\"//" + below + "\" is no directory below the source");
        }
        if (kept.isEmpty()) {
            throw refused("the source ends in \"//\"; name a directory after it, or leave it out");
        }
        return String.join("/", kept);
    }

    static Refused refused(String why) {
        return new Refused(new Refusal.Invalid(why));
    }

    /**
     * The query of a source.
     *
     * @param base what is before it
     * @param rest what is left of it without our options, as it was
     */
    private record Query(String base, String rest, Map<String, String> options) {
        static Query of(String source, Map<String, String> more) {
            int mark = source.indexOf('?');
            Map<String, String> options = new TreeMap<>();
            StringBuilder rest = new StringBuilder();
            if (mark >= 0) {
                for (String part : source.substring(mark + 1).split("&", -1)) {
                    int equals = part.indexOf('=');
                    String name = equals < 0 ? part : part.substring(0, equals);
                    if (OPTIONS.contains(name)) {
                        options.put(name, decoded(equals < 0 ? "" : part.substring(equals + 1)));
                    } else if (!part.isEmpty()) {
                        rest.append(rest.isEmpty() ? "" : "&").append(part);
                    }
                }
            }
            new TreeMap<>(more).forEach((name, value) -> {
                if (OPTIONS.contains(name)) {
                    options.put(name, value);
                } else {
                    rest.append(rest.isEmpty() ? "" : "&")
                            .append(encoded(name))
                            .append('=')
                            .append(encoded(value));
                }
            });
            return new Query(mark < 0 ? source : source.substring(0, mark), rest.toString(), options);
        }

        private static String decoded(String text) {
            try {
                return URLDecoder.decode(text, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException asItIs) {
                return text;
            }
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }
    }

    /**
     * A source whose short form is written out.
     *
     * @param kind what it is to be taken for; empty if its scheme says that
     */
    private record Named(String kind, String url) {
        static Named of(String source) {
            Matcher forced = FORCED.matcher(source);
            String kind = forced.matches() ? forced.group(1).toLowerCase(Locale.ROOT) : "";
            String url = forced.matches() ? forced.group(2) : source;
            if (SCHEME.matcher(url).matches() || !(kind.isEmpty() || kind.equals("git"))) {
                return new Named(kind, url);
            }
            Matcher scp = SCP.matcher(url);
            if (scp.matches()) {
                return new Named("git", "ssh://" + scp.group(1) + "@" + scp.group(2) + "/" + scp.group(3));
            }
            Matcher hosted = HOSTED.matcher(url);
            if (hosted.matches()) {
                String repository = hosted.group(1);
                String below = hosted.group(2).replaceFirst("^/+", "//").replaceFirst("^//$", "");
                return new Named(
                        "git",
                        "https://"
                                + repository
                                + (repository.endsWith(".git") ? "" : ".git")
                                + below.replaceFirst("^//[?]", "?"));
            }
            boolean bucket = url.contains(".amazonaws.com/");
            boolean storage = url.startsWith("www.googleapis.com/storage/");
            return new Named(bucket ? "s3" : storage ? "gcs" : kind, url);
        }
    }
}
