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

    /// Returns the difference of one sample under this filter.
    @inline(__always)
    func difference(_ sample: UInt8, left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        switch self {
        case .none: sample
        case .sub: sample &- left
        case .up: sample &- above
        case .average: sample &- UInt8((Int(left) + Int(above)) / 2)
        case .paeth: sample &- Self.predict(left: left, above: above, corner: corner)
        }
    }

    /// Returns Paeth's predictor: the neighbour nearest to left + above − corner (PNG 9.4).
    @inline(__always)
    private static func predict(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let toLeft = abs(Int(above) - Int(corner))
        let toAbove = abs(Int(left) - Int(corner))
        let toCorner = abs(Int(left) + Int(above) - 2 * Int(corner))
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }
}
