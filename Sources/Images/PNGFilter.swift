/// The five ways to encode a row as differences from neighbouring samples (PNG 9.2).
enum PNGFilter: UInt8, CaseIterable {
    case none, sub, up, average, paeth

    /// Decodes rows of differences to samples, in place.
    ///
    /// - Parameters:
    ///   - data: the image data, which contains all of the rows.
    ///   - start: the index of the first row's filter byte.
    ///   - rows: the number of consecutive rows.
    ///   - rowSize: bytes per row, without its filter byte.
    ///   - step: bytes from a pixel to the next, at least 1.
    /// - Throws: ``MalformedImage/unknownFilter(_:)``.
    static func undo(
        in data: inout [UInt8],
        from start: Int,
        rows: Int,
        rowSize: Int,
        step: Int,
    ) throws(MalformedImage) {
        let pitch = rowSize + 1
        for row in 0..<rows {
            let first = start + row * pitch + 1
            guard let filter = PNGFilter(rawValue: data[first - 1]) else {
                throw .unknownFilter(data[first - 1])
            }
            let inner = first + min(step, rowSize)
            let end = first + rowSize
            let hasAbove = row > 0
            switch filter {
            case .none:
                break
            case .sub:
                for at in inner..<end { data[at] &+= data[at - step] }
            case .up:
                guard hasAbove else { break }
                for at in first..<end { data[at] &+= data[at - pitch] }
            case .average:
                for at in first..<end {
                    let left = at >= inner ? Int(data[at - step]) : 0
                    let above = hasAbove ? Int(data[at - pitch]) : 0
                    data[at] &+= UInt8((left + above) / 2)
                }
            case .paeth:
                for at in first..<end {
                    let left = at >= inner ? data[at - step] : 0
                    let above = hasAbove ? data[at - pitch] : 0
                    let corner = hasAbove && at >= inner ? data[at - pitch - step] : 0
                    data[at] &+= predict(left: left, above: above, corner: corner)
                }
            }
        }
    }

    /// Encodes a row as differences, until the sum of their sizes shows that another filter is better.
    ///
    /// - Parameters:
    ///   - row: a pixel of zeros, and the samples of the row.
    ///   - above: the same for the row above.
    ///   - step: bytes from a pixel to the next.
    ///   - differences: receives the differences, a byte for each sample.
    ///   - limit: the sum that another filter has reached.
    /// - Returns: the sum of the differences as signed bytes, without their signs; incomplete if it is not
    ///   below the limit.
    func apply(
        to row: [UInt8],
        below above: [UInt8],
        step: Int,
        storing differences: inout [UInt8],
        upTo limit: Int,
    ) -> Int {
        let count = differences.count
        precondition(row.count >= count + step && above.count >= count + step)
        // With pointers and a loop of its own for each filter, the compiler handles many samples at once.
        return unsafe row.withUnsafeBufferPointer { row in
            unsafe above.withUnsafeBufferPointer { above in
                unsafe differences.withUnsafeMutableBufferPointer { differences in
                    var sum = 0
                    var start = 0
                    // Most filters exceed the best sum long before the end of the row.
                    while start < count, sum < limit {
                        let part = start..<min(start + 256, count)
                        let partSum: UInt16 =
                            switch self {
                            case .none:
                                unsafe Self.fill(differences, part) { unsafe row[$0 &+ step] }
                            case .sub:
                                unsafe Self.fill(differences, part) {
                                    unsafe row[$0 &+ step] &- row[$0]
                                }
                            case .up:
                                unsafe Self.fill(differences, part) {
                                    unsafe row[$0 &+ step] &- above[$0 &+ step]
                                }
                            case .average:
                                unsafe Self.fill(differences, part) {
                                    let sum = unsafe UInt16(row[$0]) &+ UInt16(above[$0 &+ step])
                                    let mean = UInt8(truncatingIfNeeded: sum / 2)
                                    return unsafe row[$0 &+ step] &- mean
                                }
                            case .paeth:
                                unsafe Self.fill(differences, part) {
                                    let near = unsafe Self.predict(
                                        left: row[$0],
                                        above: above[$0 &+ step],
                                        corner: above[$0],
                                    )
                                    return unsafe row[$0 &+ step] &- near
                                }
                            }
                        sum += Int(partSum)
                        start = part.upperBound
                    }
                    return sum
                }
            }
        }
    }

    /// Stores differences, and returns the sum of their sizes; at most 256 of them.
    @inline(__always)
    private static func fill(
        _ differences: UnsafeMutableBufferPointer<UInt8>,
        _ part: Range<Int>,
        _ difference: (Int) -> UInt8,
    ) -> UInt16 {
        var sum: UInt16 = 0
        for at in part {
            let value = difference(at)
            unsafe differences[at] = value
            sum &+= UInt16(min(value, 0 &- value))
        }
        return sum
    }

    /// Returns Paeth's predictor: the neighbour nearest to left + above − corner (PNG 9.4).
    @inline(__always)
    private static func predict(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        // Differences of bytes, and their sums, fit into 16 bits.
        let alongTop = Int16(above) &- Int16(corner)
        let alongLeft = Int16(left) &- Int16(corner)
        let toLeft = alongTop.magnitude
        let toAbove = alongLeft.magnitude
        let toCorner = (alongTop &+ alongLeft).magnitude
        let isAbove = toAbove <= toCorner
        return toLeft <= toAbove && toLeft <= toCorner ? left : isAbove ? above : corner
    }
}
