package io.cleat.clusterapi.search;

import io.cleat.api.Answer;
import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.FuzzySearchResponse;
import io.cleat.api.SearchRequest;
import io.cleat.api.SearchResponse;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ReadQuery;
import io.cleat.server.intake.Versions;
import io.cleat.state.TableName;

/** What is looked for by the beginning of an id, or by a part of a name, over the server. */
public final class SearchAnswers {
    private final Readings readings;

    public SearchAnswers(Readings readings) {
        this.readings = readings;
    }

    /** Ids that begin with the prefix, at most 20 for each context. */
    public Answer<SearchResponse> find(ReadQuery query, SearchRequest request)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, Versions.of(TableName.values()));
        return new Answer<>(
                new Search(reading.state(), query.namespace()).find(request, reading.meta()), reading.meta());
    }

    /**
     * Names with a text in them.
     *
     * @throws Refused the context is not known, or the text is too short
     */
    public Answer<FuzzySearchResponse> findFuzzily(ReadQuery query, FuzzySearchRequest request)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, Versions.of(TableName.values()));
        return new Answer<>(
                new FuzzySearch(reading.state(), query.namespace()).find(request, reading.meta()), reading.meta());
    }
}
