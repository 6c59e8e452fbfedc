import Bytes
import PropertyLists

/// The reason for which `bytes` are refused; nil if they can be read.
func refusal(
    of bytes: [UInt8],
    limits: PropertyList.Limits = .infoPlist,
) -> MalformedPropertyList.Reason? {
    do {
        _ = try PropertyList(reading: bytes, limits: limits)
        return nil
    } catch {
        return error.reason
    }
}

func refusal(
    of text: String,
    limits: PropertyList.Limits = .infoPlist,
) -> MalformedPropertyList.Reason? {
    refusal(of: Array(text.utf8), limits: limits)
}

/// The complaint in a refusal of XML; nil if the text can be read, or is refused for another reason.
func complaint(about text: String) -> String? {
    if case .xml(_, _, let what) = refusal(of: text) { what } else { nil }
}

/// The field and the complaint in a refusal of a binary document.
func complaint(about document: BinaryDocument) -> String? {
    if case .malformed(let error) = refusal(of: document.bytes) { error.description } else { nil }
}

/// A complete XML document with one value.
func document(_ value: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">\(value)</plist>

    """
}

/// The value in an XML document.
func value(_ text: String) throws -> PropertyList {
    try PropertyList(reading: Array(document(text).utf8))
}

/// The top object of a binary document.
func value(_ objects: [UInt8]...) throws -> PropertyList {
    try PropertyList(reading: BinaryDocument(objects: objects).bytes)
}
