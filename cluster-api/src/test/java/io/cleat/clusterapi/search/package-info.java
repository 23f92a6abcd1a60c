@NullMarked
package io.cleat.clusterapi.search;

import org.jspecify.annotations.NullMarked;
