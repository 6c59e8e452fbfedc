import Bytes

/// Reads the objects of a binary property list, from the top object down.
struct BinaryPropertyListReader {
    private let document: [UInt8]
    private let trailer: BinaryTrailer
    private(set) var budget: ReadingBudget
    /// The containers being read, from the top object inwards.
    private var path: [Int] = []

    init(_ document: [UInt8], budget: ReadingBudget) throws(MalformedPropertyList) {
        self.document = document
        self.budget = budget
        do {
            trailer = try BinaryTrailer(of: document)
        } catch {
            throw MalformedPropertyList(.malformed(error))
        }
    }

    mutating func readDocument() throws(MalformedPropertyList) -> PropertyList {
        try budget.visit()
        return try value(of: trailer.topObject)
    }

    private mutating func value(of index: Int) throws(MalformedPropertyList) -> PropertyList {
        switch try object(index) {
        case .scalar(let value):
            return value
        case .data(let bytes):
            try budget.copy(bytes.count)
            return .data(Array(bytes))
        case .ascii(let bytes):
            return .string(try text(ascii: bytes))
        case .utf16(let bytes):
            return .string(try text(utf16: bytes))
        case .array(let elements):
            try enter(index)
            let array = try array(of: references(in: elements))
            leave()
            return array
        case .dictionary(let keys, let values):
            try enter(index)
            let dictionary = try dictionary(of: references(in: keys), references(in: values))
            leave()
            return dictionary
        }
    }

    private mutating func array(of elements: [Int]) throws(MalformedPropertyList) -> PropertyList {
        var array: [PropertyList] = []
        array.reserveCapacity(elements.count)
        for element in elements {
            array.append(try value(of: element))
        }
        return .array(array)
    }

    private mutating func dictionary(
        of keys: [Int],
        _ values: [Int],
    ) throws(MalformedPropertyList) -> PropertyList {
        var dictionary: [String: PropertyList] = [:]
        dictionary.reserveCapacity(keys.count)
        for (key, value) in zip(keys, values) {
            let name = try self.key(key)
            if dictionary.updateValue(try self.value(of: value), forKey: name) != nil {
                try budget.meet(repeated: name)
            }
        }
        return .dictionary(dictionary)
    }

    private mutating func key(_ index: Int) throws(MalformedPropertyList) -> String {
        switch try object(index) {
        case .ascii(let bytes): return try text(ascii: bytes)
        case .utf16(let bytes): return try text(utf16: bytes)
        default: throw refusal("dictionary key", index, "is not a string")
        }
    }

    private mutating func text(
        ascii bytes: ArraySlice<UInt8>
    ) throws(MalformedPropertyList)
        -> String
    {
        try budget.copy(bytes.count)
        guard let text = String(validating: bytes, as: Unicode.ASCII.self) else {
            throw refusal("ASCII string", at: bytes.startIndex, "has a byte above 127")
        }
        return text
    }

    private mutating func text(
        utf16 bytes: ArraySlice<UInt8>
    ) throws(MalformedPropertyList)
        -> String
    {
        try budget.copy(bytes.count)
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw refusal("UTF-16 string", at: bytes.startIndex, "has a lone surrogate")
        }
        return text
    }

    /// The objects to which a container refers, counted as visits before memory is allocated.
    private mutating func references(
        in bytes: ArraySlice<UInt8>
    ) throws(MalformedPropertyList) -> [Int] {
        let width = trailer.referenceSize
        try budget.visit(bytes.count / width)
        var references: [Int] = []
        references.reserveCapacity(bytes.count / width)
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: width) {
            let claimed = bytes[start..<start + width].bigEndianNumber
            guard let index = Int(exactly: claimed), index < trailer.objectCount else {
                throw refusal("object reference", at: start, "is \(claimed)")
            }
            references.append(index)
        }
        return references
    }

    private func object(_ index: Int) throws(MalformedPropertyList) -> BinaryObject {
        let entry = trailer.offsetTable + index * trailer.offsetSize
        let offset = document[entry..<entry + trailer.offsetSize].bigEndianNumber
        guard let offset = Int(exactly: offset), offset < trailer.offsetTable,
            offset >= BinaryTrailer.header.count
        else {
            throw refusal("object offset", at: entry, "is \(offset)")
        }
        do {
            var bytes = ByteReader(document[..<trailer.offsetTable])
            try bytes.seek(to: offset, "object")
            return try BinaryObject(reading: &bytes, referenceSize: trailer.referenceSize)
        } catch {
            throw MalformedPropertyList(.malformed(error))
        }
    }

    private mutating func enter(_ index: Int) throws(MalformedPropertyList) {
        guard !path.contains(index) else { throw MalformedPropertyList(.cycle) }
        try budget.enterContainer()
        path.append(index)
    }

    private mutating func leave() {
        budget.leaveContainer()
        path.removeLast()
    }

    private func refusal(_ field: String, at place: Int, _ why: String) -> MalformedPropertyList {
        MalformedPropertyList(.malformed(MalformedBytes(field, at: place, .invalid(why))))
    }

    /// An error about an object, at the offset of its entry in the offset table.
    private func refusal(_ field: String, _ index: Int, _ why: String) -> MalformedPropertyList {
        refusal(
            "\(field) (object \(index))",
            at: trailer.offsetTable + index * trailer.offsetSize,
            why,
        )
    }
}
