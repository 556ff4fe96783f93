# Shared by the benchmarks of cold processes.

# median_of COMMAND...: how long a run of it takes, in hundredths of a millisecond: the median of seven measures. To tell the time takes a
# process of its own, and milliseconds; so each measure is of ten runs, one after the other. What the last one says is in answer.txt.
median_of() {
    for _ in 1 2 3 4 5 6 7; do
        _before=$(date +%s%N)
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            "$@" >answer.txt || [ $? -eq 1 ]
        done
        _after=$(date +%s%N)
        echo $(((_after - _before) / 100000))
    done | sort -n | sed -n 4p
}
