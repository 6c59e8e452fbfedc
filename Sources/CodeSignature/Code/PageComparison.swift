import MachOFormat

extension PageEvidence {
    /// Compares the hashed pages of the slice that begins at `start` with the digests of the
    /// CodeDirectory.
    init(_ directory: CodeDirectory, against hasher: PageHasher, sliceAt start: Int) {
        // A surplus digest is for a page that does not exist.
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
