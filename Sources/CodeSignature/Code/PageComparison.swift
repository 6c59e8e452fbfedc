import MachOFormat

extension PageEvidence {
    /// Compares what was hashed of the slice that begins at `start` with what the CodeDirectory says.
    init(_ directory: CodeDirectory, against hasher: PageHasher, sliceAt start: Int) {
        // A digest too many is one for a page that is not there.
        let count = max(hasher.count, directory.pageCount)
        var mismatchCount = 0
        var mismatches: [Mismatch] = []
        for page in 0..<min(count, hasher.count + Self.greatestListed) {
            if page < hasher.count, let expected = directory.digest(ofPage: page),
                hasher.digest(ofPage: page).starts(with: expected)
            {
                continue
            }
            mismatchCount += 1
            guard mismatches.count < Self.greatestListed else { continue }
            let offset = start + page * (directory.pageSize ?? 0)
            mismatches.append(Mismatch(page: page, offset: offset))
        }
        self.init(
            state: .compared,
            count: hasher.count,
            mismatchCount: mismatchCount,
            mismatches: mismatches,
        )
    }
}
