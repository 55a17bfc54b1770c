/// What a decoding thread and its process say to each other.
enum DecoderMessage: Equatable {
  /// To the process, once: how to decode.
  case options(DecodingOptions)
  /// To the process: a file.
  case decode(BytePath)
  /// From the process: the file takes so many bytes of memory in all; may it go on?
  case large(bytes: Int)
  /// To the process: it may.
  case proceed
  /// From the process: the result, whose pixels are in the shared memory.
  case picture(PictureFacts)
  /// From the process: why there is none, and of which file if it was opened.
  case failure(ImagingError.Reason, FileIdentity?)

  /// The message in bytes, without its length.
  func encode(to encoder: inout ByteEncoder) {
    switch self {
    case .options(let options):
      encoder.append(0)
      options.encode(to: &encoder)
    case .decode(let path):
      encoder.append(1)
      encoder.append(path.bytes)
    case .large(let bytes):
      encoder.append(2)
      encoder.append(bytes)
    case .proceed: encoder.append(3)
    case .picture(let picture):
      encoder.append(4)
      picture.encode(to: &encoder)
    case .failure(let reason, let source):
      encoder.append(5)
      reason.encode(to: &encoder)
      encoder.append(source == nil ? 0 : 1)
      source?.encode(to: &encoder)
    }
  }

  /// Nil for bytes that are no message.
  init?(_ bytes: ArraySlice<UInt8>) {
    var decoder = ByteDecoder(bytes)
    var message: DecoderMessage?
    switch decoder.number() {
    case 0: message = DecodingOptions(from: &decoder).map(DecoderMessage.options)
    case 1: message = decoder.string().map { .decode(BytePath($0)) }
    case 2: message = decoder.number().map(DecoderMessage.large)
    case 3: message = .proceed
    case 4: message = PictureFacts(from: &decoder).map(DecoderMessage.picture)
    case 5: message = Self.failure(from: &decoder)
    default: break
    }
    guard let message, decoder.isAtEnd else { return nil }
    self = message
  }

  private static func failure(from decoder: inout ByteDecoder) -> DecoderMessage? {
    guard let reason = ImagingError.Reason(from: &decoder), let isOpened = decoder.number() else { return nil }
    if isOpened == 0 { return .failure(reason, nil) }
    return FileIdentity(from: &decoder).map { .failure(reason, $0) }
  }
}
