@NullMarked
package io.cleat.clusterapi.jobs;

import org.jspecify.annotations.NullMarked;
